# In a checkout of Homing, with Docker or Podman.
scripts/container

scripts/container homing project create shop --name "The Shop" --authorized-domain www.example.com
scripts/container homing link-domain add shop links.localhost:9099
scripts/container homing mailbox
