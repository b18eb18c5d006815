import { ViewportPortal } from '@xyflow/react'
import { classNames } from '../../../ui/class-names.ts'
import type { MapLine } from './map-lines.ts'

type Kind = MapLine['kind']

const looks: Record<Kind, { label: string; stroke: string; width: number; dash?: string }> = {
  reference: { label: 'Reference', stroke: 'stroke-muted', width: 1.5 },
  network: { label: 'Network', stroke: 'stroke-faint', width: 1.5, dash: '7 4' },
  domain: { label: 'Domain', stroke: 'stroke-muted', width: 2, dash: '0.1 4.5' },
}

const look = (kind: Kind) => {
  const { width, dash } = looks[kind]
  return { strokeWidth: width, strokeDasharray: dash, strokeLinecap: 'round', fill: 'none' } as const
}

interface MapLineLayerProps {
  lines: readonly MapLine[]
  active: string | undefined
}

export const MapLineLayer = ({ lines, active }: MapLineLayerProps) => (
  <ViewportPortal>
    <svg className="pointer-events-none absolute z-1 size-px overflow-visible" aria-hidden>
      {lines.map(({ kind, ends, path }) => {
        const isActive = active !== undefined && ends.includes(active)
        return (
          <path
            key={path}
            d={path}
            {...look(kind)}
            className={classNames(
              'transition-opacity duration-150',
              isActive ? 'stroke-accent-ink' : looks[kind].stroke,
              active !== undefined && !isActive && 'opacity-30',
            )}
          />
        )
      })}
    </svg>
  </ViewportPortal>
)

export function MapLegend({ lines }: Pick<MapLineLayerProps, 'lines'>) {
  const kinds = new Set(lines.map(({ kind }) => kind))
  if (kinds.size === 0) return null
  return (
    <ul
      aria-label="Legend"
      className="flex gap-4 rounded-md border border-line bg-raised px-3 py-1.5 text-xs text-muted"
    >
      {(['reference', 'network', 'domain'] as const)
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind} className="flex items-center gap-2">
            <svg viewBox="0 0 28 8" className="h-2 w-7" aria-hidden>
              <path
                d={kind === 'reference' ? 'M1 4H26M22 1L26 4L22 7' : 'M1 4H27'}
                {...look(kind)}
                className={looks[kind].stroke}
              />
            </svg>
            {looks[kind].label}
          </li>
        ))}
    </ul>
  )
}
