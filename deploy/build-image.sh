#!/bin/sh
# Builds the image on bases that are named by their digests, because a registry may move a tag at any time:
# ./deploy/build-image.sh TAG [OPTIONS OF DOCKER BUILD]. It stops where the registry names no digest.
set -eu

tag=$1
shift
checkout=$(dirname "$0")/..

pinned() {
  image=$(sed -n "s/^ARG $1=//p" "$checkout/deploy/Dockerfile")
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  case $digest in
  sha256:*) echo "$image@$digest" ;;
  *)
    echo "the registry names no digest of $image" >&2
    exit 1
    ;;
  esac
}

debian=$(pinned DEBIAN)
node=$(pinned NODE)
echo "building on $debian and $node"
exec docker build --build-arg "DEBIAN=$debian" --build-arg "NODE=$node" -f "$checkout/deploy/Dockerfile" -t "$tag" "$@" "$checkout"
