import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldControl } from './field.tsx'
import { controlClasses } from './input.tsx'
import { type Option, SelectList, optionId } from './select-list.tsx'
import { nextOptionIndex, typeAheadIndex } from './select-keys.ts'
import { useEscape } from '../use-escape.ts'

interface SelectProps {
  options: readonly Option[]
  name?: string
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  disabled?: boolean
  'aria-label'?: string
  className?: string
}

const typingPause = 1000

/** Keeps the focus on the control, which announces the active option. */
export function Select({ options, className, 'aria-label': label, ...props }: SelectProps) {
  const wiring = useFieldControl()
  const listId = useId()
  const control = useRef<HTMLButtonElement>(null)
  const typed = useRef({ text: '', at: -Infinity })
  const [own, setOwn] = useState(props.defaultValue ?? '')
  const [active, setActive] = useState<number>()
  const open = active !== undefined
  const chosen = props.value ?? own
  const at = options.findIndex(({ value }) => value === chosen)
  const close = useCallback(() => setActive(undefined), [])
  useEscape(open, close)

  function show() {
    control.current?.focus()
    setActive(Math.max(at, 0))
  }

  function pick(value: string) {
    close()
    if (value === chosen) return
    setOwn(value)
    props.onValueChange?.(value)
  }

  function type({ key, timeStamp }: KeyboardEvent, from: number) {
    const { text, at: before } = typed.current
    typed.current = { text: timeStamp - before < typingPause ? text + key : key, at: timeStamp }
    const labels = options.map((option) => option.label)
    return typeAheadIndex(labels, typed.current.text, from)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (active === undefined) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      show()
      return
    }
    const letter = event.key.length === 1 && event.key !== ' '
    const to = letter ? type(event, active) : nextOptionIndex(event.key, active, options.length)
    if (to !== undefined) setActive(to)
    if (event.key === 'Enter' || event.key === ' ') pick(options[active]?.value ?? chosen)
    if (event.key === 'Tab') pick(options[active]?.value ?? chosen)
    else event.preventDefault()
  }

  return (
    <>
      <button
        {...wiring}
        ref={control}
        type="button"
        name={props.name}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see select-list.tsx
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open ? optionId(listId, active) : undefined}
        disabled={props.disabled}
        onClick={() => (open ? close() : show())}
        onKeyDown={onKeyDown}
        onBlur={close}
        className={classNames(
          controlClasses,
          'flex h-8 items-center justify-between gap-2 px-2.5 text-left text-base max-sm:h-10',
          className,
        )}
      >
        <span className="truncate">{options[at]?.label}</span>
        <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
      </button>
      {props.name && <input type="hidden" name={props.name} value={chosen} />}
      {open && (
        <SelectList
          id={listId}
          label={label ?? 'Choices'}
          options={options}
          chosen={chosen}
          active={active}
          anchor={control}
          onActive={setActive}
          onPick={pick}
          onClose={close}
        />
      )}
    </>
  )
}
