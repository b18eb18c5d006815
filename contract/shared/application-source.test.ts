import { expect, test } from 'vitest'
import { source } from './application-source.ts'

test('matches source types without regard to case, and treats any other as compose', () => {
  expect(source.parse({ type: 'Docker_Image', image: 'nginx:1.27' }).type).toBe('docker_image')
  expect(source.parse({ type: 'COMPOSE', compose: 'services: {}' }).type).toBe('compose')
  expect(source.parse({ type: 'Docker Compose', compose: 'services: {}' }).type).toBe('docker compose')
  expect(source.safeParse({ type: 'GitHub', image: 'nginx:1.27' }).success).toBe(false)
})
