import { Plus, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { readDotenv, readVariables, writeVariables } from '../../../../contract/shared/dotenv.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import { Button } from '../../../ui/button.tsx'
import { Input, Textarea } from '../../../ui/form/input.tsx'

interface VariableRowsProps {
  /** Initial text. Later changes of the prop are ignored, because text cannot represent incomplete rows. */
  text: string
  onChange: (text: string) => void
  /** `onPasteText` receives pasted text that rows cannot show, such as text with an open quote. */
  onPasteText: (text: string) => void
  error: string | undefined
  errorId: string
}

const blank: Pair = { key: '', value: '' }

/** Lines of a .env file that the user pastes into a name field become rows. */
export function VariableRows({ text, onChange, onPasteText, error, errorId }: VariableRowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const [rows, setRows] = useState(() => atLeastOne(readVariables(text)))
  const [added, setAdded] = useState<number>()

  useEffect(() => {
    if (added !== undefined) focus(list.current, added, 'input')
  }, [added])

  function change(after: readonly Pair[]) {
    setRows(atLeastOne(after))
    onChange(writeRows(after))
  }

  const put = (index: number, part: Partial<Pair>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))

  function add() {
    setRows([...rows, blank])
    setAdded(rows.length)
  }

  function paste(event: ClipboardEvent, index: number) {
    const pasted = event.clipboardData.getData('text')
    const { entries, problems } = readDotenv(pasted)
    const [entry] = entries
    if (!entry || entries.every(({ isBare }) => isBare)) return
    event.preventDefault()
    if (problems.length > 0) onPasteText(`${writeRows(rows)}\n${pasted}`.trimStart())
    else if (entries.length === 1) put(index, { key: entry.key, value: entry.value })
    else change(mergeRows(rows, entries))
  }

  /** Enter moves the focus from the name to the value, and from the value to the next row. */
  function onKeyDown(event: KeyboardEvent, index: number, part: 'input' | 'textarea') {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (part === 'input') focus(list.current, index, 'textarea')
    else if (index < rows.length - 1) focus(list.current, index + 1, 'input')
    else add()
  }

  const isFaulty = ({ key }: Pair, index: number) =>
    error !== undefined && (error.startsWith('“') ? error.startsWith(`“${key}”`) : index === 0)

  return (
    <div className="flex flex-col items-start gap-3">
      <ul ref={list} aria-label="Variables" className="flex flex-col gap-2 self-stretch max-sm:gap-4">
        {rows.map((row, index) => {
          const faulty = isFaulty(row, index)
          const name = row.key === '' ? `variable ${index + 1}` : row.key
          return (
            <li
              // Rows have no identity except their position. oxlint-disable-next-line no-array-index-key
              key={index}
              className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_2rem] items-start gap-2 max-sm:grid-cols-[minmax(0,1fr)_2.5rem]"
            >
              <Input
                mono
                aria-label={`Name of variable ${index + 1}`}
                aria-invalid={faulty || undefined}
                aria-describedby={faulty ? errorId : undefined}
                value={row.key}
                onChange={({ target }) => put(index, { key: target.value.replaceAll(/[^\w.-]/g, '') })}
                onPaste={(event) => paste(event, index)}
                onKeyDown={(event) => onKeyDown(event, index, 'input')}
                placeholder={index === 0 ? 'DATABASE_URL' : undefined}
                className="text-sm"
              />
              <Textarea
                mono
                aria-label={`Value of ${name}`}
                rows={Math.min(row.value.split('\n').length, 8)}
                value={row.value}
                onChange={({ target }) => put(index, { value: target.value })}
                onKeyDown={(event) => onKeyDown(event, index, 'textarea')}
                placeholder={index === 0 ? 'postgres://db/shop' : undefined}
                className="min-h-8 resize-none max-sm:col-span-2 max-sm:row-start-2 max-sm:min-h-10"
              />
              <Button
                variant="ghost"
                icon
                aria-label={`Remove ${name}`}
                onClick={() => change(rows.toSpliced(index, 1))}
              >
                <X aria-hidden />
              </Button>
            </li>
          )
        })}
      </ul>
      <Button size="small" onClick={add}>
        <Plus aria-hidden />
        Add variable
      </Button>
    </div>
  )
}

const focus = (list: HTMLElement | null, index: number, part: 'input' | 'textarea') =>
  list?.children[index]?.querySelector<HTMLElement>(part)?.focus()

const atLeastOne = (rows: readonly Pair[]) => (rows.length === 0 ? [blank] : rows)

const isBlank = ({ key, value }: Pair) => key === '' && value === ''

const writeRows = (rows: readonly Pair[]) => writeVariables(rows.filter((row) => !isBlank(row)))

/** Replaces the values of existing rows in place, so that they keep their order, and appends new names. */
function mergeRows(rows: readonly Pair[], pasted: readonly Pair[]): Pair[] {
  const values = new Map(pasted.map(({ key, value }) => [key, value]))
  const kept = rows.filter((row) => !isBlank(row))
  const known = new Set(kept.map(({ key }) => key))
  return [
    ...kept.map(({ key, value }) => ({ key, value: values.get(key) ?? value })),
    ...[...values].filter(([key]) => !known.has(key)).map(([key, value]) => ({ key, value })),
  ]
}
