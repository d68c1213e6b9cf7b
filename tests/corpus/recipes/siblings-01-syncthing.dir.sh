# Two syncthing 1.19 instances, the file changed on both while they were apart.
python3 "$RECIPES/syncthing.py" "$EN" .
