#!/bin/sh
# Makes the secrets that compose.yaml mounts: ./deploy/make-secrets.sh [FOLDER]. What is there already stays.
set -eu

folder=${1:-$(dirname "$0")/secrets}

# Only the owner of the folder reaches the files. Containers get single files of it, as another user, so the files
# themselves can be read by all.
(umask 077 && mkdir -p "$folder")
chmod 700 "$folder"
umask 033

keep() {
  [ -s "$folder/$1" ] && return
  # A file gets its name when it is whole.
  cat >"$folder/$1.part"
  mv "$folder/$1.part" "$folder/$1"
  echo "made $folder/$1"
}

random() {
  head -c "$1" /dev/urandom | base64 | tr -d '\n'
}

random 32 | keep secret-key
random 32 | keep vault-key
random 24 | tr '+/' '-_' | keep database-password
random 24 | tr '+/' '-_' | keep metrics-token
printf 'postgresql://switchyard:%s@database/switchyard' "$(cat "$folder/database-password")" | keep database-url

echo "Keep copies of secret-key and vault-key apart from the backups of the database: without them, no backup opens."
