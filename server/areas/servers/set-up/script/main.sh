# Runs all steps; every function is defined by now.

main() {
  check
  docker_is_there
  compose_is_there
  git_is_there
  proxy_runs "$@"
}

main "$@"
