import { Check } from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { popoverClasses, menuItemClasses } from '../menu/menu-classes.ts'

interface ComboboxListProps {
  id: string
  label: string
  options: readonly string[]
  chosen: string
  active: number
  anchor: RefObject<HTMLElement | null>
  onActive: (index: number) => void
  onPick: (value: string) => void
  onClose: () => void
}

export const optionId = (list: string, index: number) => `${list}-${index}`

/**
 * List of options. It is rendered next to its control, so that it is in the same landmark or dialog, and shown above
 * everything else.
 */
export function ComboboxList(props: ComboboxListProps) {
  const { id, label, options, chosen, active, anchor, onActive, onPick, onClose } = props
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.showPopover()
    if (list.current && anchor.current) place(list.current, anchor.current)
  }, [anchor])
  useLayoutEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  useLayoutEffect(() => {
    const onScroll = ({ target }: Event) => {
      if (target !== list.current) onClose()
    }
    window.addEventListener('scroll', onScroll, { capture: true, passive: true })
    window.addEventListener('resize', onClose)
    return () => {
      window.removeEventListener('scroll', onScroll, { capture: true })
      window.removeEventListener('resize', onClose)
    }
  }, [onClose])

  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a datalist cannot be styled, and hides options that do not match
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      // A press on the list must not take the focus from the control.
      onMouseDown={(event) => event.preventDefault()}
      className={classNames(popoverClasses, 'fixed inset-auto m-0 p-1 text-left')}
    >
      {options.map((option, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the control has the focus and handles the keys
        <div
          key={option}
          id={optionId(id, index)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element works only in a select or datalist
          role="option"
          tabIndex={-1}
          aria-selected={option === chosen}
          data-highlighted={index === active || undefined}
          onPointerMove={() => onActive(index)}
          onClick={() => onPick(option)}
          className={classNames(menuItemClasses, 'pr-8')}
        >
          {option}
          {option === chosen && <Check className="absolute right-2" aria-hidden />}
        </div>
      ))}
    </div>
  )
}

const gap = 4
const edge = 8

function place(list: HTMLElement, anchor: HTMLElement) {
  const { left, top, bottom, width } = anchor.getBoundingClientRect()
  const below = window.innerHeight - bottom - gap - edge
  const above = top - gap - edge
  const upwards = below < list.scrollHeight && above > below
  list.style.minWidth = `${width}px`
  list.style.maxHeight = `${upwards ? above : below}px`
  list.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - list.offsetWidth - edge))}px`
  if (upwards) list.style.bottom = `${window.innerHeight - top + gap}px`
  else list.style.top = `${bottom + gap}px`
}
