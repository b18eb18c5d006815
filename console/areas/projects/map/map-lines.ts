import type { ProjectMap } from '../queries.ts'
import {
  channel,
  domainGap,
  groupGap,
  type MapCard,
  type MapGroup,
  type MapLayout,
  type MapSizes,
} from './map-layout.ts'

export interface MapLine {
  kind: 'reference' | 'network' | 'domain'
  ends: string[]
  path: string
}

type Point = readonly [x: number, y: number]
type PlacedCard = { card: MapCard; group: MapGroup }

export function drawLines(map: ProjectMap, layout: MapLayout): MapLine[] {
  const places = new Map<string, PlacedCard>()
  for (const group of layout.groups)
    for (const card of group.cards) places.set(card.application.id, { card, group })
  return [...drawDomains(places), ...drawNetworks(layout, places), ...drawReferences(map, layout, places)]
}

const drawDomains = (places: ReadonlyMap<string, PlacedCard>): MapLine[] =>
  [...places].flatMap(([id, { card }]) => {
    if (!card.domain) return []
    const x = card.x + 26
    return [{ kind: 'domain', ends: [id], path: `M${x} ${card.domain.y + card.domain.height}V${card.y}` }]
  })

/** Draws lines from each application, along the left of its column, to the bar of the network. */
const drawNetworks = ({ groups }: MapLayout, places: ReadonlyMap<string, PlacedCard>): MapLine[] =>
  groups.flatMap(({ networks }) =>
    networks.flatMap(({ network, y }, index) =>
      network.applications.flatMap((id) => {
        const card = places.get(id)?.card
        if (!card) return []
        const from = card.y + card.height - 10 - index * 6
        const x = card.x - 10 - index * 5
        const points: Point[] = [
          [card.x, from],
          [x, from],
          [x, y],
        ]
        return [{ kind: 'network' as const, ends: [...network.applications], path: roundPath(points) }]
      }),
    ),
  )

function drawReferences(
  { references }: ProjectMap,
  layout: MapLayout,
  places: ReadonlyMap<string, PlacedCard>,
) {
  const sources = [...new Set(references.map(({ from }) => from))].toSorted()
  const pairs = new Map(references.map(({ from, to }) => [`${from} ${to}`, { from, to }]))
  return [...pairs.values()].flatMap(({ from, to }): MapLine[] => {
    const [source, target] = [places.get(from), places.get(to)]
    if (!source || !target) return []
    // Lines of one application share a lane, so that they part like branches.
    const lane = (sources.indexOf(from) % 5) * 5 - 10
    const points = route(source, target, layout, lane)
    const [x, y] = points.at(-1) ?? [0, 0]
    const arrow = `M${x - 6} ${y - 4}L${x} ${y}L${x - 6} ${y + 4}`
    return [{ kind: 'reference', ends: [from, to], path: `${roundPath(points)}${arrow}` }]
  })
}

/** Routes a line through the gaps between columns, rows and servers, so that no line crosses a card. */
function route(source: PlacedCard, target: PlacedCard, { sizes, groups }: MapLayout, lane: number): Point[] {
  const { port } = sizes
  const start: Point = [source.card.x + source.card.width, source.card.y + port]
  const end: Point = [target.card.x, target.card.y + port]
  const out = start[0] + sizes.gap.x / 2 + lane
  const inside = end[0] - sizes.gap.x / 2 + lane
  const above = rowTop(target, sizes) - channel + lane / 3
  if (source.group === target.group) {
    if (target.card.column === source.card.column + 1) return [start, [out, start[1]], [out, end[1]], end]
    return [start, [out, start[1]], [out, above], [inside, above], [inside, end[1]], end]
  }
  const [leave, enter] = [
    source.group.x + source.group.width + groupGap / 2 + lane,
    target.group.x - groupGap / 2 + lane,
  ]
  const exit: Point[] = [start]
  if (source.card.column < source.group.columns - 1) {
    const over = rowTop(source, sizes) - channel + lane / 3
    exit.push([out, start[1]], [out, over], [leave, over])
  } else exit.push([leave, start[1]])
  const last = exit.at(-1)?.[1] ?? start[1]
  const arrive: Point[] =
    target.card.column === 0
      ? [[enter, end[1]], end]
      : [[enter, above], [inside, above], [inside, end[1]], end]
  const isNext =
    target.group.shelf === source.group.shelf &&
    groups.indexOf(target.group) === groups.indexOf(source.group) + 1
  if (isNext) return [...exit.slice(0, -1), [enter, last], ...arrive]
  const turn = source.group.shelf - target.group.shelf
  const beside = ({ y, height }: MapGroup, isBelow: boolean) =>
    (isBelow ? y + height + groupGap / 2 : y - groupGap / 2) + lane
  const [first, second] = [beside(source.group, turn <= 0), beside(target.group, turn >= 0)]
  // A line to a distant shelf runs along the left of the map, past the shelves in between.
  const past: Point[] =
    Math.abs(turn) > 1
      ? [
          [lane - groupGap / 2, first],
          [lane - groupGap / 2, second],
        ]
      : []
  return [...exit, [leave, first], ...past, [enter, second], ...arrive]
}

const rowTop = ({ card, group }: PlacedCard, { domain }: MapSizes) =>
  Math.min(
    ...group.cards
      .filter(({ row }) => row === card.row)
      .map((other) => (other.domain ? other.y - domain - domainGap : other.y)),
  )

const radius = 8

function roundPath(points: readonly Point[]): string {
  const parts = points.map(([x, y], index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    if (!before) return `M${x} ${y}`
    if (!after) return `L${x} ${y}`
    const [from, to] = [towards([x, y], before), towards([x, y], after)]
    return `L${from[0]} ${from[1]}Q${x} ${y} ${to[0]} ${to[1]}`
  })
  return parts.join('')
}

/** Returns a point at most halfway, so that neighboring corners do not overlap. */
function towards([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.hypot(toX - x, toY - y)
  if (length === 0) return [x, y]
  const share = Math.min(radius, length / 2) / length
  return [x + (toX - x) * share, y + (toY - y) * share]
}
