import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { useState } from 'react'
import { classNames } from '../class-names.ts'
import { menuItemClasses, popoverClasses } from '../menu/menu-classes.ts'
import { useFieldControl } from './field.tsx'
import { controlClasses } from './input.tsx'

export interface Option {
  value: string
  label: string
  help?: string | undefined
  disabled?: boolean
}

interface SelectProps {
  options: readonly Option[]
  name?: string
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  disabled?: boolean
  placeholder?: string
  'aria-label'?: string
  className?: string
}

/** Returns the internal value of an option. Radix reserves the empty value, which options such as “All” have here. */
const toItem = (value: string) => `=${value}`

export function Select({ options, className, placeholder, 'aria-label': label, ...props }: SelectProps) {
  const wiring = useFieldControl()
  const [own, setOwn] = useState(props.defaultValue ?? '')
  const chosen = props.value ?? own

  function pick(item: string) {
    setOwn(item.slice(1))
    props.onValueChange?.(item.slice(1))
  }

  return (
    <>
      <Radix.Root value={toItem(chosen)} onValueChange={pick} disabled={props.disabled ?? false}>
        <Radix.Trigger
          {...wiring}
          name={props.name}
          aria-label={label}
          className={classNames(
            controlClasses,
            'flex h-8 items-center justify-between gap-2 px-2.5 text-left text-base max-sm:h-10',
            className,
          )}
        >
          <span className="truncate">
            {options.find(({ value }) => value === chosen)?.label ?? (
              <span className="text-muted">{placeholder}</span>
            )}
          </span>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            position="popper"
            sideOffset={4}
            collisionPadding={8}
            aria-label={label ?? 'Choices'}
            className={classNames(
              popoverClasses,
              'max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width)',
            )}
          >
            <Radix.Viewport className="p-1 text-left">
              {options.map((option) => (
                <Radix.Item
                  key={option.value}
                  value={toItem(option.value)}
                  textValue={option.label}
                  disabled={option.disabled ?? false}
                  className={classNames(menuItemClasses, 'pr-8')}
                >
                  <span className="flex flex-col">
                    <Radix.ItemText>{option.label}</Radix.ItemText>
                    {option.help && <span className="text-sm text-muted">{option.help}</span>}
                  </span>
                  <Radix.ItemIndicator asChild>
                    <Check className="absolute right-2" aria-hidden />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {props.name && <input type="hidden" name={props.name} value={chosen} />}
    </>
  )
}
