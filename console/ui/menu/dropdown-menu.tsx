import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '../class-names.ts'
import { popoverClasses, menuItemClasses } from './menu-classes.ts'

interface DropdownMenuProps {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom' | 'right'
  label?: string
  className?: string
  onOpenChange?: (open: boolean) => void
}

/** Rendered next to its trigger, in the same landmark. */
export function DropdownMenu({
  trigger,
  children,
  className,
  label,
  onOpenChange,
  ...rest
}: DropdownMenuProps) {
  return (
    <Radix.Root modal={false} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        sideOffset={4}
        collisionPadding={8}
        {...(label ? { 'aria-label': label } : {})}
        {...rest}
        className={classNames(popoverClasses, 'min-w-44 p-1 text-left', className)}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}

type ItemProps = Omit<ComponentProps<typeof Radix.Item>, 'className'> & { danger?: boolean }

export function MenuItem({ danger, ...rest }: ItemProps) {
  return (
    <Radix.Item
      {...rest}
      className={classNames(menuItemClasses, danger && 'text-red-ink [&>svg]:text-red-ink')}
    />
  )
}

export function MenuLink({
  to,
  children,
  onSelect,
}: {
  to: string
  children: ReactNode
  onSelect?: () => void
}) {
  return (
    <Radix.Item asChild className={menuItemClasses} {...(onSelect ? { onSelect } : {})}>
      <Link to={to}>{children}</Link>
    </Radix.Item>
  )
}

/** Opens an external page in a new tab. */
export const MenuAnchor = ({ href, children }: { href: string; children: ReactNode }) => (
  <Radix.Item asChild className={menuItemClasses}>
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  </Radix.Item>
)

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1.5 text-xs font-medium text-muted">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}
