import { expect, it } from 'vitest'
import { formatPorts } from './format-ports.ts'

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

it('says where a port leads, and once what Docker tells for IPv4 and IPv6', () => {
  expect(formatPorts([published('0.0.0.0', 8080, 80), published('::', 8080, 80)])).toEqual([
    { address: null, words: '8080 → 80/tcp', published: true },
  ])
})

it('keeps an address that is not all of them, and ports that only differ by it', () => {
  const found = formatPorts([published('10.0.0.3', 8080, 80), published('10.0.0.4', 8080, 80)])
  expect(found.map(({ address }) => address)).toEqual(['10.0.0.3', '10.0.0.4'])
})

it('says where only the server itself reaches a port, which is no secret', () => {
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

it('puts last what is not published', () => {
  const found = formatPorts([published(null, null, 9000), published('0.0.0.0', 53, 53, 'udp')])
  expect(found.map(({ words }) => words)).toEqual(['53 → 53/udp', '9000/tcp'])
})
