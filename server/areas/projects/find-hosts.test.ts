import { expect, test } from 'vitest'
import { findHosts, listComposeEntries } from './find-hosts.ts'

test.each([
  ['DATABASE_URL', 'postgres://shop:p%40ss@Postgres:5432/shop?sslmode=disable', ['postgres:5432']],
  ['MONGO', 'mongodb://u:1234@mongo-1:27017,mongo-2:27017/app', ['mongo-1:27017', 'mongo-2:27017']],
  ['DSN', 'shop:secret@tcp(mysql:3306)/shop', ['mysql:3306']],
  ['DSN', 'host=db port=5432 user=redis', ['db']],
  ['API', 'see https://api.example.com/v1 for more', ['api.example.com']],
  ['REDIS_HOST', 'redis', ['redis']],
  ['KAFKA_BROKERS', 'kafka-1:9092, kafka-2', ['kafka-1:9092', 'kafka-2']],
  ['CACHE_DRIVER', 'redis', []],
  ['PASSWORD', 'postgres', []],
  ['GREETING', 'the postgres:server', []],
  ['URL', `http://${'a'.repeat(5_000)}`, []],
])('finds the hosts of %s=%s', (key, value, hosts) => {
  expect(findHosts(key, value)).toEqual(hosts)
})

test('reads only the environment of a compose file', () => {
  const text = `services:
  web:
    image: redis:7
    container_name: redis
    ports: ['8080:80']
    environment:
      DATABASE_URL: "postgres://a:b@shop-db/app"
  job:
    environment:
      - CACHE_HOST=cache
`
  const hosts = listComposeEntries(text).flatMap(([name, value]) => findHosts(name, value))
  expect(hosts).toEqual(['shop-db', 'cache'])
})
