import { useMaskedText } from '../../lib/address.tsx'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '../class-names.ts'
import { menuItemClasses, popoverClasses } from './menu-classes.ts'
import { Button } from '../button.tsx'
import { Check, Ellipsis } from 'lucide-react'

interface DropdownMenuProps {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom' | 'right'
  label?: string
  className?: string
  onOpenChange?: (open: boolean) => void
}

/** Menu that is rendered next to its trigger, so that it is in the same landmark. */
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

interface ActionsMenuProps {
  name: string
  /** Look of the button: `ghost` in rows, `secondary` next to other buttons. */
  variant?: 'ghost' | 'secondary'
  children: ReactNode
}

export function ActionsMenu({ name, variant = 'ghost', children }: ActionsMenuProps) {
  const mask = useMaskedText()
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button
          variant={variant}
          size={variant === 'ghost' ? 'small' : 'medium'}
          icon
          aria-label={`Actions for ${mask(name)}`}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {children}
    </DropdownMenu>
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

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1.5 text-xs font-medium text-muted">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}

interface MenuCheckProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

export function MenuCheck({ checked, onChange, children }: MenuCheckProps) {
  return (
    <Radix.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={classNames(menuItemClasses, 'pr-8')}
    >
      {children}
      <Radix.ItemIndicator className="absolute right-2">
        <Check className="size-4" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  )
}

interface MenuChoiceProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: ReactNode; icon?: ReactNode }[]
  onChange: (value: V) => void
}

export function MenuChoice<V extends string>({ label, value, options, onChange }: MenuChoiceProps<V>) {
  return (
    <Radix.RadioGroup value={value} aria-label={label}>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          onSelect={() => onChange(option.value)}
          className={classNames(menuItemClasses, 'pr-8')}
        >
          {option.icon}
          {option.label}
          <Radix.ItemIndicator className="absolute right-2">
            <Check className="size-4" aria-hidden />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}
