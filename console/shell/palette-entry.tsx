import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { itemLook } from '../ui/menu/menu-look.ts'

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  )
}

export function Entry({
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
      className={`${itemLook} data-[selected=true]:bg-hover`}
    >
      {children}
    </Command.Item>
  )
}
