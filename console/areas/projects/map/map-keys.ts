import type { Box } from './map-layout.ts'

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export const arrowDirection = (key: string) => directions[key]

const center = ({ x, y, width, height }: Box): [number, number] => [x + width / 2, y + height / 2]

/**
 * Returns the index of the box that an arrow key leads to. Distance aside counts twice, so that a box straight ahead
 * wins.
 */
export function findNeighbor(boxes: readonly Box[], from: Box, [dx, dy]: readonly [number, number]): number {
  const [x, y] = center(from)
  let [found, least] = [-1, Infinity]
  for (const [index, box] of boxes.entries()) {
    const [toX, toY] = center(box)
    const ahead = (toX - x) * dx + (toY - y) * dy
    const aside = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx)
    const cost = ahead + 2 * aside
    if (ahead > 1 && cost < least) [found, least] = [index, cost]
  }
  return found
}
