import { expect, test } from 'vitest'
import { isDatabaseImage } from './database-image.ts'

test.each([
  ['postgres:17', true],
  ['docker.io/bitnami/postgresql@sha256:abc', true],
  ['registry.example:5000/team/valkey', true],
  ['clickhouse/clickhouse-server:25', true],
  ['prom/mysqld-exporter', false],
  ['acme/redis-commander:1', false],
  ['nginx', false],
])('%s is a database: %s', (image, is) => {
  expect(isDatabaseImage(image)).toBe(is)
})
