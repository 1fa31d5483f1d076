// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
import {dressPage} from "/assets/homing.js";

dressPage();
