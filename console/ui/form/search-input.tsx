import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Input } from './input.tsx'

interface SearchInputProps {
  value: string
  onChange: (value: string) => void
  label: string
  /** Called after `onChange` on Enter, which then does not submit the form. */
  onEnter?: (typed: string) => void
}

export function SearchInput({ value, onChange, label, onEnter }: SearchInputProps) {
  const [typed, setTyped] = useState(value)
  const reported = useRef(value)

  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setTyped(value)
  }, [value])

  useEffect(() => {
    if (typed === reported.current) return undefined
    const timer = setTimeout(() => {
      reported.current = typed
      onChange(typed)
    }, 200)
    return () => clearTimeout(timer)
  }, [typed, onChange])

  return (
    <div className="relative w-full max-w-xs max-sm:max-w-none">
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <Input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter) return
          event.preventDefault()
          if (typed !== reported.current) {
            reported.current = typed
            onChange(typed)
          }
          onEnter(typed)
        }}
        className="pl-8"
      />
    </div>
  )
}
