import type { MapApplication, ProjectMap } from '../queries.ts'
import { arrangeColumns, type Cell, rankApplications } from './map-columns.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface MapCard extends Box, Cell {
  domain: Box | null
}

export interface MapGroup extends Box {
  server: ProjectMap['servers'][number]
  shelf: number
  columns: number
  cards: MapCard[]
  networks: (Box & { network: ProjectMap['networks'][number] })[]
}

export interface MapLayout extends Pick<Box, 'width' | 'height'> {
  sizes: MapSizes
  groups: MapGroup[]
}

export interface MapSizes {
  compact: boolean
  card: { width: number; height: number }
  gap: { x: number; y: number }
  domain: number
  service: number
  /** Distance from the top of a card to the point where reference lines meet it. */
  port: number
}

const roomy: MapSizes = {
  compact: false,
  card: { width: 256, height: 94 },
  gap: { x: 64, y: 28 },
  domain: 28,
  service: 26,
  port: 32,
}
const compact: MapSizes = {
  compact: true,
  card: { width: 220, height: 40 },
  gap: { x: 40, y: 20 },
  domain: 22,
  service: 0,
  port: 20,
}

export const serverHeader = 60
const bar = 26
const barGap = 12
export const groupGap = 44
export const domainGap = 10
/** Space between the top of a row and the lines above it. */
export const channel = 9

export const shownServices = ({ services }: MapApplication) => services.slice(0, 4)

type Canvas = Pick<Box, 'width' | 'height'>

/** Returns the scale at which the whole layout is visible. */
export const fitScale = (layout: Canvas, canvas: Canvas) =>
  Math.min((canvas.width - 32) / layout.width, (canvas.height - 32) / layout.height)

const readable = 0.62

/**
 * Places servers side by side, and applications from left to right along their references. The arrangement that is
 * largest on the canvas wins.
 */
export function layoutMap(map: ProjectMap, canvas: Canvas): MapLayout {
  const large = findLargest(map, roomy, canvas)
  return fitScale(large, canvas) >= readable ? large : findLargest(map, compact, canvas)
}

const mostRows = 10

function findLargest(map: ProjectMap, sizes: MapSizes, canvas: Canvas): MapLayout {
  const ranks = rankApplications(map)
  let best: { scale: number; shelves: MapGroup[][] } = { scale: 0, shelves: [] }
  for (let rows = 1; rows <= mostRows; rows++) {
    const groups = arrangeGroups(map, ranks, sizes, rows)
    for (let across = 1; across <= Math.min(groups.length, mostRows); across++) {
      const shelves = splitShelves(groups, across)
      const scale = fitScale(sizeOf(shelves), canvas)
      if (scale > best.scale + 0.01) best = { scale, shelves }
    }
  }
  return { sizes, ...sizeOf(best.shelves), groups: placeGroups(best.shelves) }
}

/** Creates a group for each server. Servers whose applications refer to others come first. */
function arrangeGroups(
  map: ProjectMap,
  ranks: ReadonlyMap<string, number>,
  sizes: MapSizes,
  rows: number,
): MapGroup[] {
  const meanRank = (members: MapApplication[]) =>
    members.length === 0
      ? ranks.size
      : members.reduce((sum, { id }) => sum + (ranks.get(id) ?? 0), 0) / members.length
  return map.servers
    .map((server) => ({
      server,
      members: map.applications.filter((application) => application.server.id === server.id),
    }))
    .toSorted(
      (a, b) => meanRank(a.members) - meanRank(b.members) || a.server.name.localeCompare(b.server.name),
    )
    .map(({ server, members }) =>
      arrangeGroup(
        server,
        arrangeColumns(members, map.references, ranks, rows),
        map.networks.filter((network) => network.server_id === server.id),
        sizes,
      ),
    )
}

function arrangeGroup(
  server: MapGroup['server'],
  cells: Cell[],
  networks: ProjectMap['networks'],
  sizes: MapSizes,
): MapGroup {
  const { card, gap, domain, service } = sizes
  const cellHeight = ({ application }: Cell) =>
    card.height +
    (service > 0 && application.services.length > 0 ? 9 : 0) +
    shownServices(application).length * service
  const hasDomain = ({ application }: Cell) => application.domains.length > 0
  const columns = Math.max(1, ...cells.map(({ column }) => column + 1))
  const width = columns * (card.width + gap.x)
  const cards: MapCard[] = []
  let y = serverHeader
  for (let row = 0; cells.some((cell) => cell.row === row); row++) {
    const inRow = cells.filter((cell) => cell.row === row)
    y += row > 0 ? gap.y : columns > 1 ? 2 * channel : 4
    const top = y + (inRow.some(hasDomain) ? domain + domainGap : 0)
    for (const cell of inRow) {
      const box = { x: gap.x / 2 + cell.column * (card.width + gap.x), y: top, width: card.width }
      const above = { ...box, y: top - domain - domainGap, height: domain }
      cards.push({ ...cell, ...box, height: cellHeight(cell), domain: hasDomain(cell) ? above : null })
    }
    y = top + Math.max(...inRow.map(cellHeight))
  }
  const bars = networks.map((network) => {
    y += barGap + (sizes.compact ? 4 : 8)
    const box = { network, x: 16, y, width: width - 32, height: bar }
    y += bar
    return box
  })
  const bottom = bars.length > 0 ? 14 : 24
  return { server, shelf: 0, columns, cards, networks: bars, x: 0, y: 0, width, height: y + bottom }
}

const splitShelves = (groups: readonly MapGroup[], across: number): MapGroup[][] =>
  Array.from({ length: Math.ceil(groups.length / across) }, (_, index) =>
    groups.slice(index * across, (index + 1) * across),
  )

const widthOf = (shelf: readonly MapGroup[]) =>
  shelf.reduce((sum, { width }) => sum + width + groupGap, -groupGap)
const heightOf = (shelf: readonly MapGroup[]) => Math.max(...shelf.map(({ height }) => height))

const sizeOf = (shelves: readonly MapGroup[][]): Canvas => ({
  width: Math.max(0, ...shelves.map(widthOf)),
  height: shelves.reduce((sum, shelf) => sum + heightOf(shelf) + groupGap, -groupGap),
})

/** Centers each shelf, and gives all servers of a shelf the same height. */
function placeGroups(shelves: readonly MapGroup[][]): MapGroup[] {
  const { width } = sizeOf(shelves)
  let y = 0
  return shelves.flatMap((shelf, index) => {
    const [top, height] = [y, heightOf(shelf)]
    y += height + groupGap
    let x = (width - widthOf(shelf)) / 2
    return shelf.map((group) => {
      const placed = moveGroup({ ...group, shelf: index, height }, x, top)
      x += group.width + groupGap
      return placed
    })
  })
}

function moveGroup(group: MapGroup, x: number, y: number): MapGroup {
  const move = <T extends Box>(box: T): T => ({ ...box, x: box.x + x, y: box.y + y })
  return {
    ...move(group),
    cards: group.cards.map((card) => ({ ...move(card), domain: card.domain && move(card.domain) })),
    networks: group.networks.map(move),
  }
}
