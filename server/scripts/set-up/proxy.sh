
proxy_runs() {
  step proxy 'Checking the proxy'
  if ! docker image inspect "$proxy_image" > /dev/null 2>&1; then
    keeping docker pull "$proxy_image" ||
      fail "The proxy image $proxy_image could not be pulled: $(last_line). Check the network of the server, or set PROXY_IMAGE in Slipway to an image that the server can pull."
  fi
  write_proxy_files
  start_proxy "$@"
  for port in "$http_port" "$https_port"; do
    wait_for_proxy_on "$port" || {
      docker logs --tail 20 "$proxy"
      fail "The proxy does not listen on port $port. See its output in the log above."
    }
  done
  # A proxy that replaces another closes connections that the other one had not accepted yet.
  tries=0
  answer=$(ask_proxy)
  while [ "$answer" = 000 ] && [ "$tries" -lt 5 ]; do
    tries=$((tries + 1))
    sleep 0.2
    answer=$(ask_proxy)
  done
  [ "$answer" != 000 ] || fail "The proxy listens on port $http_port but does not respond. Run \"docker logs $proxy\" on the server to see why, then set up again."
  echo "The proxy listens on ports $http_port and $https_port"
}

# Keeps the routes of a running proxy: only its ports may have changed. The new configuration replaces the old one only
# after the proxy has validated it.
write_proxy_files() {
  group=root
  ! grep -q '^docker:' /etc/group || group=docker
  # Users of Docker may use the proxy, so its sockets belong to the group of the folder.
  mkdir -p "$proxy_folder" && chown "root:$group" "$proxy_folder" && chmod 2770 "$proxy_folder" && cd "$proxy_folder" &&
    touch certificates.txt routes.map secure.map maintenance.map challenges.map trusted.map probes.map && printf '%s' "$proxy_config" > haproxy.cfg.new ||
    fail "$proxy_folder is not writable. Check the disk of the server, then set up again."
  if grep -qs '^  description ' haproxy.cfg; then
    grep '^  bind ' haproxy.cfg.new | grep -vxFf haproxy.cfg > haproxy.cfg.binds
    sed '/^frontend web$/r haproxy.cfg.binds' haproxy.cfg > haproxy.cfg.new
    rm haproxy.cfg.binds
  fi
  proxy_changed=
  if cmp -s haproxy.cfg.new haproxy.cfg; then
    rm haproxy.cfg.new
    return
  fi
  quietly docker run --rm --network none --user 0:0 --volume "$proxy_folder:$proxy_folder:z" --entrypoint haproxy \
    "$proxy_image" -c -f "$proxy_folder/haproxy.cfg.new" ||
    fail "The proxy rejected its configuration. See its output in the log above. Make sure that $proxy_image contains HAProxy 2.6 or newer."
  chmod 640 haproxy.cfg.new && mv haproxy.cfg.new haproxy.cfg
  proxy_changed=yes
}

# start_proxy ARGUMENT…: starts the proxy with these arguments of docker run.
start_proxy() {
  wanted="$(docker image inspect --format '{{.Id}}' "$proxy_image") $proxy_make"
  running=$(docker inspect --format '{{.State.Running}} {{index .Config.Labels "slipway.proxy"}}' "$proxy" 2> /dev/null)
  if [ "$running" = "true $wanted" ]; then
    [ -z "$proxy_changed" ] || docker kill --signal USR2 "$proxy" > /dev/null
    return
  fi
  docker rm --force "$proxy" > /dev/null 2>&1
  echo "Starting the proxy from $proxy_image"
  quietly docker run --label "slipway.proxy=$wanted" "$@" ||
    fail "The proxy could not be started: $(last_line)."
}

wait_for_proxy_on() {
  tries=0
  while [ "$tries" -lt 75 ]; do
    own=$(docker inspect --format '{{.State.Pid}}' "$proxy" 2> /dev/null || echo 0)
    for pid in $(owners_of "$1"); do descends "$pid" "$own" && return 0; done
    tries=$((tries + 1))
    sleep 0.2
  done
  return 1
}

# Prints the HTTP status of the proxy: 000 without a response, nothing without curl.
ask_proxy() {
  if has curl; then curl --silent --noproxy '*' --max-time 10 --output /dev/null --write-out '%{http_code}' "http://127.0.0.1:$http_port/"; fi
}
