import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { Input } from './input.tsx'
import { ComboboxList, optionId } from './combobox-list.tsx'

interface ComboboxProps {
  /** Suggestions. Users can type other values. */
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
  // The list is useless if its only option is already typed, so close it.
  const isTyped = open?.filters === true && shown.length === 1 && shown[0] === value
  const isOpen = open !== undefined && shown.length > 0 && !isTyped
  useEscape(isOpen, close)

  const show = () => setOpen({ active: shown.indexOf(value), filters: false })

  function pick(option: string) {
    close()
    onChange(option)
  }

  const nextOption = (key: string, active: number) =>
    key === 'ArrowDown' ? Math.min(active + 1, shown.length - 1) : Math.max(active - 1, 0)

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (!isOpen) {
      if (isArrow && options.length > 0) show()
      if (isArrow) event.preventDefault()
      return
    }
    const meant = shown[open.active]
    if (isArrow) setOpen({ ...open, active: nextOption(event.key, open.active) })
    // Enter selects the active option. Without one, it submits the form.
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
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot take free text; see combobox-list.tsx
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
        <ComboboxList
          id={listId}
          label={label}
          options={shown}
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

/** Makes Escape close the list, but not the dialog below it. */
function useEscape(open: boolean, close: () => void) {
  useEffect(() => {
    if (!open) return undefined
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      event.preventDefault()
      close()
    }
    // The listener of a dialog is on the document, so capture the event before.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [open, close])
}
