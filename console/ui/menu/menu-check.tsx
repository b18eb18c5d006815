import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { menuItemClasses } from './menu-classes.ts'

interface MenuCheckProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

/** Checkable menu item; the menu stays open. */
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
