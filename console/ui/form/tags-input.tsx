import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { useFieldControl } from './field.tsx'
import { controlClasses } from './input.tsx'

interface TagsInputProps {
  value: readonly string[]
  onChange: (tags: string[]) => void
  /** Character that ends a tag, like Enter. */
  delimiter?: string
  /** Maximum number of tags; 0 means unlimited. */
  max?: number
  name?: string
  placeholder?: string
}

/** Field for tags. On blur, the remaining text becomes a tag, so that no input is lost. */
export function TagsInput({ value, onChange, delimiter = ',', max = 0, name, placeholder }: TagsInputProps) {
  const wiring = useFieldControl()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const full = max > 0 && value.length >= max

  function add(text: string) {
    const tags = splitTags(text, delimiter)
    setTyped('')
    if (tags.length > 0) onChange(withTags(value, tags, max))
  }

  /** Reads the delimiter from the value, because phone keyboards do not send key events. */
  function type(text: string) {
    if (text.includes(delimiter)) add(text)
    else setTyped(text)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    }
    const last = value.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) {
      event.preventDefault()
      onChange(value.slice(0, -1))
      setTyped(last)
    }
  }

  /** Splits pasted lines into tags, because a single-line input would drop the line breaks. */
  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text')
    if (!text.includes('\n')) return
    event.preventDefault()
    add(typed + text)
  }

  function remove(tag: string) {
    onChange(value.filter((other) => other !== tag))
    input.current?.focus()
  }

  return (
    <div
      className={classNames(
        controlClasses,
        'flex min-h-8 flex-wrap items-center gap-1 px-1.5 py-1 focus-within:border-accent-ink max-sm:min-h-10',
        'has-aria-invalid:border-red',
      )}
    >
      {value.length > 0 && (
        <ul aria-label="Tags" className="contents">
          {value.map((tag) => (
            <Tag key={tag} tag={tag} onRemove={() => remove(tag)} />
          ))}
        </ul>
      )}
      <input
        {...wiring}
        ref={input}
        name={name}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={() => add(typed)}
        readOnly={full}
        placeholder={value.length === 0 ? placeholder : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="h-6 min-w-32 flex-1 bg-transparent px-1 font-mono text-sm outline-none max-sm:text-lg"
      />
    </div>
  )
}

const Tag = ({ tag, onRemove }: { tag: string; onRemove: () => void }) => (
  <li className="flex max-w-full items-center rounded-sm border border-line bg-subtle pl-1.5 font-mono text-xs leading-5">
    <bdi className="wrap-anywhere">{tag}</bdi>
    <button
      type="button"
      aria-label={`Remove ${tag}`}
      onClick={onRemove}
      className="flex size-5 shrink-0 items-center justify-center rounded-sm text-muted hover:text-ink max-sm:size-7"
    >
      <X className="size-3" aria-hidden />
    </button>
  </li>
)

export const splitTags = (text: string, delimiter: string) =>
  text
    .split(/\r?\n/)
    .flatMap((line) => line.split(delimiter))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** Adds tags without duplicates, at most `max` in total; 0 means unlimited. */
export function withTags(tags: readonly string[], more: readonly string[], max: number): string[] {
  const all = [...new Set([...tags, ...more])]
  return max === 0 ? all : all.slice(0, max)
}
