import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { menuItemClasses } from '../ui/menu/menu-classes.ts'
import { useShell } from './shell-state.tsx'

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  )
}

export function PaletteItem({
  value,
  onSelect,
  children,
}: {
  value?: string
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      {...(value === undefined ? {} : { value })}
      onSelect={onSelect}
      className={`${menuItemClasses} data-[selected=true]:bg-hover`}
    >
      {children}
    </Command.Item>
  )
}

export function useShellNavigate() {
  const navigate = useNavigate()
  const { show } = useShell()
  return (to: string) => {
    show(undefined)
    void navigate(to)
  }
}
