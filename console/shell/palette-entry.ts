import type { LucideIcon } from 'lucide-react'
import { useShellNavigate } from './palette-item.tsx'

export interface PaletteEntry {
  id: string
  group: string
  label: string
  /** Text that distinguishes entries with the same name. */
  note?: string
  icon: LucideIcon
  /** Names of logos that replace the icon, in order of preference. */
  brands?: readonly string[]
  shortcut?: string
  /** Whether the palette shows the entry before the user types. */
  isStatic?: boolean
  run: () => void
}

export type Link = Pick<PaletteEntry, 'label' | 'icon' | 'brands' | 'note' | 'shortcut'> & { to: string }

export function useLinks(group: string, isStatic: boolean): (links: readonly Link[]) => PaletteEntry[] {
  const go = useShellNavigate()
  return (links) =>
    links.map(({ to, ...link }) => ({ ...link, id: `${group} ${to}`, group, isStatic, run: () => go(to) }))
}
