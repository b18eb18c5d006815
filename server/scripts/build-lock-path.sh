sources=/var/lib/slipway/sources
lock=$sources/builds.lock
