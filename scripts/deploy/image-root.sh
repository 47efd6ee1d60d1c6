#!/bin/sh
# Fills a folder with the root of an image, from a checkout that has been built:
#   sh scripts/deploy/image-root.sh NODE FOLDER
set -eu
node=$1
folder=$2

mkdir -p "$folder/usr/local/bin" "$folder/app" "$folder/var/lib/financial-data-service"
cp -L "$node" "$folder/usr/local/bin/node"

# What the loader finds for it here is what it finds in the image, at the same places.
ldd "$node" | sed -n 's|^[^/]*\(/[^ ]*\) (.*|\1|p' | while read -r library; do
  mkdir -p "$folder$(dirname "$library")"
  cp -L "$library" "$folder$library"
done

cp package.json LICENSE scripts/deploy/healthcheck.js "$folder/app/"
cp -R dist "$folder/app/dist"
# Our own client, by which the service reads another one. Its package is not part of the bundles.
mkdir "$folder/app/node_modules"
cp -R node_modules/openapi-fetch "$folder/app/node_modules/openapi-fetch"
chmod -R a+rX,go-w "$folder"
chmod 700 "$folder/var/lib/financial-data-service"
