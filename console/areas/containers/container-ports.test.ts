import { expect, it } from 'vitest'
import { formatPorts } from './container-ports.tsx'

const published = (
  address: string | null,
  port: number | null,
  container_port: number,
  protocol = 'tcp',
) => ({
  address,
  port,
  container_port,
  protocol,
})

it('merges IPv4 and IPv6 bindings', () => {
  expect(formatPorts([published('0.0.0.0', 8080, 80), published('::', 8080, 80)])).toEqual([
    { address: null, words: '8080 → 80/tcp', published: true },
  ])
})

it('keeps specific addresses', () => {
  const found = formatPorts([published('10.0.0.3', 8080, 80), published('10.0.0.4', 8080, 80)])
  expect(found.map(({ address }) => address)).toEqual(['10.0.0.3', '10.0.0.4'])
})

it('shows loopback addresses, which are not secret', () => {
  const found = formatPorts([
    published('127.0.0.1', 9000, 9000),
    published('::1', 9001, 9001),
    published('127.0.0.1', 9002, 9002),
    published('::1', 9002, 9002),
  ])
  expect(found.map(({ address }) => address)).toEqual([null, null, null])
  expect(found.map(({ words }) => words)).toEqual([
    '127.0.0.1:9000 → 9000/tcp',
    '[::1]:9001 → 9001/tcp',
    'localhost:9002 → 9002/tcp',
  ])
})

it('sorts unpublished ports last', () => {
  const found = formatPorts([published(null, null, 9000), published('0.0.0.0', 53, 53, 'udp')])
  expect(found.map(({ words }) => words)).toEqual(['53 → 53/udp', '9000/tcp'])
})
