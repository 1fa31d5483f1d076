internal import ArgumentParser
internal import Yams
