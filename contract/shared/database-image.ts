const names = [
  'postgres',
  'postgresql',
  'postgis',
  'pgvector',
  'timescaledb',
  'timescaledb-ha',
  'mysql',
  'mysql-server',
  'mariadb',
  'percona',
  'mongo',
  'mongodb',
  'redis',
  'redis-stack',
  'redis-stack-server',
  'valkey',
  'keydb',
  'dragonfly',
  'clickhouse',
  'clickhouse-server',
  'influxdb',
  'elasticsearch',
  'opensearch',
  'meilisearch',
  'typesense',
  'qdrant',
  'cassandra',
  'scylla',
  'couchdb',
  'neo4j',
  'memcached',
  'rabbitmq',
  'nats',
  'minio',
]
const databases: ReadonlySet<string> = new Set(names)

/** Returns whether an image is a database or another store, by its name without registry and tag. */
export function isDatabaseImage(image: string): boolean {
  const [path = ''] = image.replace(/@.*$/, '').split(/:(?=[^/]*$)/)
  return databases.has(path.split('/').at(-1)?.toLowerCase() ?? '')
}
