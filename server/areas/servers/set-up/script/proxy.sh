# The proxy, which takes what comes in from the web.

proxy_runs() {
  step proxy 'Looking for the proxy'
  if ! docker image inspect "$proxy_image" > /dev/null 2>&1; then
    keeping docker pull "$proxy_image" ||
      fail "The proxy's image, $proxy_image, could not be pulled. Docker says: $(last_words). Check the server's network, or have Slipway's operator set PROXY_IMAGE to an image that it reaches."
  fi
  write_proxy_files
  start_proxy
  for port in "$http_port" "$https_port"; do
    wait_for_proxy_on "$port" || {
      docker logs --tail 20 "$proxy"
      fail "The proxy does not listen on port $port. What it says stands in the log above."
    }
  done
  answer=$(ask_proxy)
  [ "$answer" != 000 ] || fail "The proxy listens on port $http_port but does not answer. Look at: docker logs $proxy"
  echo "The proxy listens on ports $http_port and $https_port"
}

# Nothing is taken over that the proxy itself would refuse.
write_proxy_files() {
  mkdir -p "$proxy_folder" && chmod 700 "$proxy_folder" && touch "$proxy_folder/certificates.txt" &&
    printf '%s' "$proxy_config" > "$proxy_folder/haproxy.cfg.new" ||
    fail "$proxy_folder could not be written to. Check the server's disk, then set up again."
  proxy_changed=
  if cmp -s "$proxy_folder/haproxy.cfg.new" "$proxy_folder/haproxy.cfg"; then
    rm "$proxy_folder/haproxy.cfg.new"
    return
  fi
  quietly docker run --rm --network none --user 0:0 --volume "$proxy_folder:$proxy_folder:z" --entrypoint haproxy \
    "$proxy_image" -c -f "$proxy_folder/haproxy.cfg.new" ||
    fail "The proxy does not take its configuration; what it says stands in the log above. Is $proxy_image an image of HAProxy 2.6 or newer?"
  mv "$proxy_folder/haproxy.cfg.new" "$proxy_folder/haproxy.cfg"
  proxy_changed=yes
}

# One that runs the wanted image is told to read its configuration again, without dropping a request.
start_proxy() {
  wanted="$(docker image inspect --format '{{.Id}}' "$proxy_image") 1"
  running=$(docker inspect --format '{{.State.Running}} {{index .Config.Labels "slipway.proxy"}}' "$proxy" 2> /dev/null)
  if [ "$running" = "true $wanted" ]; then
    [ -z "$proxy_changed" ] || docker kill --signal USR2 "$proxy" > /dev/null
    return
  fi
  docker rm --force "$proxy" > /dev/null 2>&1
  echo "Starting the proxy from $proxy_image"
  # As root, because on the network of the server itself nobody else may listen on its ports; HAProxy then lowers itself.
  quietly docker run --detach --name "$proxy" --label "slipway.proxy=$wanted" --restart always --network host --user 0:0 \
    --log-driver json-file --log-opt max-size=10m --log-opt max-file=3 \
    --volume "$proxy_folder:$proxy_folder:z" --entrypoint haproxy \
    "$proxy_image" -W -db -S "$proxy_folder/master.sock,mode,600" -f "$proxy_folder/haproxy.cfg" ||
    fail "The proxy could not be started. Docker says: $(last_words)."
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

# The status of its answer, 000 for none; nothing where no program could ask.
ask_proxy() {
  if has curl; then curl --silent --noproxy '*' --max-time 10 --output /dev/null --write-out '%{http_code}' "http://127.0.0.1:$http_port/"; fi
}
