# include environment.sh
take_env || exit 255
give_env
exec "$@"
