print("homing")
