scripts/build --product homing

export HOMING_DATABASE_URL=sqlite:$HOME/try-homing/data/homing.db HOMING_KEY_FILE=$HOME/try-homing/key/homing.key
export HOMING_MAIL_URL=mailbox: PATH=$PWD/.build/bin:$PATH
homing project create shop --name "The Shop" --authorized-domain www.example.com
homing link-domain add shop links.localhost:9099
homing serve
