import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { classNames } from './class-names.ts'
import { useWiring } from './field.tsx'
import { controlLook } from './input.tsx'
import { floatLook, itemLook } from './menu-look.ts'

interface SelectProps {
  options: readonly { value: string; label: string; help?: string }[]
  name?: string
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  disabled?: boolean
  'aria-label'?: string
  className?: string
}

export function Select({ options, className, 'aria-label': label, ...rest }: SelectProps) {
  const wiring = useWiring()
  return (
    <Radix.Root {...rest}>
      <Radix.Trigger
        {...wiring}
        aria-label={label}
        className={classNames(
          controlLook,
          'flex h-8 items-center justify-between gap-2 px-2.5 text-left text-base max-sm:h-10',
          className,
        )}
      >
        <Radix.Value />
        <Radix.Icon>
          <ChevronDown className="size-4 text-muted" aria-hidden />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content position="popper" sideOffset={4} className={floatLook}>
          <Radix.Viewport className="min-w-(--radix-select-trigger-width) p-1">
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className={classNames(itemLook, 'pr-8')}>
                <span className="flex flex-col">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.help && <span className="text-sm text-muted">{option.help}</span>}
                </span>
                <Radix.ItemIndicator className="absolute right-2">
                  <Check className="size-4" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
