import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { menuItemClasses } from './menu-classes.ts'

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
