import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react'
import { Input } from './input.tsx'
import { SelectList, optionId } from './select-list.tsx'
import { nextOptionIndex } from './select-keys.ts'
import { useEscape } from '../use-escape.ts'

interface ComboboxProps {
  /** Suggestions; other values can be typed. */
  options: readonly string[]
  name: string
  value: string
  onChange: (value: string) => void
  label: string
  placeholder?: string
}

const most = 100

/** Text field with suggestions. Unlike a native datalist, it shows all options until the user types. */
export function Combobox({ options, name, value, onChange, label, placeholder }: ComboboxProps) {
  const listId = useId()
  const control = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState<{ active: number; filters: boolean }>()
  const close = useCallback(() => setOpen(undefined), [])
  const term = open?.filters ? value.trim().toLowerCase() : ''
  const shown = options.filter((option) => option.toLowerCase().includes(term)).slice(0, most)
  // Closes the list if its only option is already typed.
  const isTyped = open?.filters === true && shown.length === 1 && shown[0] === value
  const isOpen = open !== undefined && shown.length > 0 && !isTyped
  useEscape(isOpen, close)

  const show = () => setOpen({ active: shown.indexOf(value), filters: false })

  function pick(option: string) {
    close()
    onChange(option)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (!isOpen) {
      if (isArrow && options.length > 0) show()
      if (isArrow) event.preventDefault()
      return
    }
    const meant = shown[open.active]
    if (isArrow) setOpen({ ...open, active: nextOptionIndex(event.key, open.active, shown.length) ?? 0 })
    // Enter submits the form unless an option is active.
    else if (event.key === 'Enter' && meant !== undefined) pick(meant)
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="relative">
        <Input
          ref={control}
          name={name}
          mono
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see select-list.tsx
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen && open.active >= 0 ? optionId(listId, open.active) : undefined}
          value={value}
          onChange={({ target }) => {
            onChange(target.value)
            setOpen({ active: -1, filters: true })
          }}
          onClick={show}
          onKeyDown={onKeyDown}
          onBlur={close}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          className="pr-8"
        />
        <ChevronDown
          className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
          aria-hidden
        />
      </div>
      {isOpen && (
        <SelectList
          id={listId}
          label={label}
          options={shown.map((option) => ({ value: option, label: option }))}
          chosen={value}
          active={open.active}
          anchor={control}
          onActive={(active) => setOpen({ ...open, active })}
          onPick={pick}
          onClose={close}
        />
      )}
    </>
  )
}
