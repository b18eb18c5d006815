import { expect, it } from 'vitest'
import type { MapApplication, ProjectMap } from '../queries.ts'
import { rankApplications } from './map-columns.ts'
import { findNeighbor } from './map-keys.ts'
import { type Box, fitScale, layoutMap, type MapLayout } from './map-layout.ts'
import { drawLines } from './map-lines.ts'

const canvas = { width: 1136, height: 620 }
const screen = (width: number, height: number) => ({ width, height })

it.each([1, 3, 12, 60])(
  'places %s applications without overlap, and no line crosses another card',
  (many) => {
    const map = makeMap(many)
    const layout = layoutMap(map, canvas)
    const cards = cardsOf(layout)
    expect(cards).toHaveLength(many)
    const boxes = cards.flatMap((card) => (card.domain ? [card, card.domain] : [card]))
    for (const [index, box] of boxes.entries())
      expect(boxes.slice(index + 1).filter((other) => overlaps(box, other))).toEqual([])
    for (const group of layout.groups)
      for (const card of group.cards) expect(contains(group, card)).toBe(true)
    const lines = drawLines(map, layout)
    expect(lines.filter(({ kind }) => kind === 'reference')).toHaveLength(map.references.length)
    for (const { path, kind } of lines) {
      const crossed = boxes.filter((box) =>
        segmentsOf(path).some((segment) => overlaps(segment, shrink(box))),
      )
      expect([kind, path, crossed]).toEqual([kind, path, []])
    }
  },
)

it('uses the canvas: large cards while they are readable, small ones in large projects', () => {
  expect(layoutMap(makeMap(12), canvas).sizes.compact).toBe(false)
  const sixty = layoutMap(makeMap(60), canvas)
  expect(sixty.sizes.compact).toBe(true)
  expect(fitScale(sixty, canvas)).toBeGreaterThan(0.4)
  const wide = layoutMap(makeMap(12), screen(1600, 500))
  const tall = layoutMap(makeMap(12), screen(600, 1000))
  expect(wide.width / wide.height).toBeGreaterThan(tall.width / tall.height)
})

it('reads from left to right along references, with unused databases at the end', () => {
  const map = makeMap(3)
  const [web, api, db] = map.applications.map(({ id }) => id)
  expect([...rankApplications(map)]).toEqual([
    [web, 0],
    [api, 1],
    [db, 2],
  ])
  expect(rankApplications({ ...map, references: [] }).get(db ?? '')).toBe(1)
  const cycle = [...map.references, reference(2, 0)]
  expect(cardsOf(layoutMap({ ...map, references: cycle }, canvas))).toHaveLength(3)
})

it('moves to the nearest box ahead', () => {
  const at = (x: number, y: number): Box => ({ x, y, width: 10, height: 10 })
  const boxes = [at(100, 0), at(100, 60), at(300, 0), at(0, 80)]
  expect(findNeighbor(boxes, at(0, 0), [1, 0])).toBe(0)
  expect(findNeighbor(boxes, at(0, 0), [0, 1])).toBe(3)
  expect(findNeighbor(boxes, at(0, 0), [-1, 0])).toBe(-1)
})

const cardsOf = ({ groups }: MapLayout) => groups.flatMap(({ cards }) => cards)

const kinds = [
  'web',
  'api',
  'db',
  'worker',
  'cache',
  'docs',
  'auth',
  'mail',
  'search',
  'jobs',
  'admin',
  'hooks',
]

/** Creates a map with twelve applications per server. Some refer to applications of the next server, and some back. */
function makeMap(many: number): ProjectMap {
  const servers = Array.from({ length: Math.ceil(many / 12) }, (_, index) => ({
    id: `srv_${index}` as const,
    name: `web-${index}`,
    status: 'ready' as const,
  }))
  const applications = Array.from({ length: many }, (_, index) => makeApplication(index))
  const links = applications.flatMap((_, index) => [
    ...(index % 12 < 2 ? [reference(index, index + 1)] : []),
    ...(index % 12 > 3 && index % 12 < 9 ? [reference(index, index - (index % 12) + (index % 4))] : []),
    ...(index % 12 === 9 ? [reference(index, (index + 15) % many), reference(index, index - 8)] : []),
  ])
  const references = links.filter(({ from, to }) => from !== to && applications.some(({ id }) => id === to))
  const networks = servers.map(({ id }) => ({
    name: 'slipway-prj',
    kind: 'project' as const,
    server_id: id,
    applications: applications.filter(({ server }) => server.id === id).map((application) => application.id),
  }))
  return { applications, servers, references, networks, more: 0 }
}

const reference = (from: number, to: number) =>
  ({ from: `app_${from}`, to: `app_${to}`, service: null }) as const

function makeApplication(index: number): MapApplication {
  const kind = kinds[index % 12] ?? ''
  const server = Math.floor(index / 12)
  const image = kind === 'db' ? 'postgres:17' : kind === 'cache' ? 'redis:7' : `harbor/${kind}:1`
  const service = { name: 'db', image: 'mysql:8', state: 'running' as const, running: 1, wanted: 1 }
  return {
    id: `app_${index}`,
    name: `${kind}-${server}`,
    state: 'running',
    reason: null,
    source: { type: 'docker_image', image, services: null, profiles: [], repository: null },
    logo: null,
    favicon: null,
    server: { id: `srv_${server}`, name: `web-${server}` },
    project: null,
    address: null,
    containers: { restarts: 0, running: 1, routed: 1, wanted: 1 },
    usage: null,
    changed: false,
    release: null,
    deployment: null,
    created_at: '2026-11-19T08:00:00.000Z',
    domains: index % 3 === 0 ? [{ url: `https://${kind}.example/`, service: '' }] : [],
    services: kind === 'docs' ? [service, { ...service, name: 'web' }] : [],
  }
}

const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const contains = (outer: Box, inner: Box) =>
  inner.x > outer.x &&
  inner.y > outer.y &&
  inner.x + inner.width < outer.x + outer.width &&
  inner.y + inner.height < outer.y + outer.height

/** Shrinks a box, because lines may touch the cards at their ends. */
const shrink = ({ x, y, width, height }: Box): Box => ({
  x: x + 2,
  y: y + 2,
  width: width - 4,
  height: height - 4,
})

function segmentsOf(path: string): Box[] {
  let at: [number, number] = [0, 0]
  return [...path.matchAll(/([MLVQ])([-\d. ]+)/g)].flatMap(([, command, text = '']): Box[] => {
    const numbers = text.trim().split(' ').map(Number)
    const [from, last] = [at, numbers.at(-1) ?? 0]
    at = [command === 'V' ? at[0] : (numbers.at(-2) ?? 0), last]
    if (command === 'M') return []
    const [x, y] = [Math.min(from[0], at[0]), Math.min(from[1], at[1])]
    return [{ x, y, width: Math.abs(from[0] - at[0]), height: Math.abs(from[1] - at[1]) }]
  })
}
