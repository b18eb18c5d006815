import { FileUp } from 'lucide-react'
import { type ChangeEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { maxComposeLength } from '../../../contract/shared/compose-limits.ts'
import { lazyPage } from '../../lib/lazy-page.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { CodeEditorProps, EditorHandle } from './code-editor.tsx'
import { ProblemList } from './problem-list.tsx'
import { fixErrorsMessage, isLineError, isError, firstErrorMessage } from './problem-messages.ts'
import type { useComposeCheck } from './compose-check.ts'

const example = `services:
  web:
    image: nginx:1.27
    expose:
      - "80"
    depends_on:
      cache:
        condition: service_healthy
  cache:
    image: redis:7
    volumes:
      - cache:/data
    healthcheck:
      test: ["CMD", "redis-cli", "ping"]
      interval: 5s

volumes:
  cache:
`

interface ComposeEditorProps {
  value: string
  onChange: (value: string) => void
  check: Pick<ReturnType<typeof useComposeCheck>, 'problems' | 'failure'>
  file?: EditedFile
  error?: string | undefined
}

export interface EditedFile {
  label: string
  example: string
  hint: string
  completes: boolean
}

const composeFile: EditedFile = {
  label: 'Compose file',
  example,
  hint: 'services:\n  web:\n    image: nginx:1.27',
  completes: true,
}

/** The editor is large, so it loads only when a page shows it. */
const LazyEditor = lazyPage<CodeEditorProps>(async () => (await import('./code-editor.tsx')).CodeEditor)

export function ComposeEditor({ value, onChange, check, file = composeFile, error }: ComposeEditorProps) {
  const id = useId()
  const handle = useRef<EditorHandle>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [unread, setUnread] = useState<string>()
  const [given, setGiven] = useState({ error, problems: check.problems })
  if (given.error !== error) setGiven({ error, problems: check.problems })
  // The problems are newer than the error, which may be fixed or on another line by now.
  const renewed = given.problems !== check.problems && isLineError(error)
  const refused = renewed ? firstErrorMessage(check.problems) : error
  // The list below already shows errors of lines, so the field does not repeat them.
  const problem = (isLineError(refused) ? (fixErrorsMessage(check.problems) ?? refused) : refused) ?? unread

  const lead = useEffectEvent(() => {
    const first = check.problems.find(isError)
    if (first) handle.current?.open(first)
  })
  useEffect(() => {
    if (error !== undefined) lead()
  }, [error])

  async function read(given: File) {
    const text = given.size > maxComposeLength ? undefined : await given.text()
    const fault = faultOf(given, text)
    setUnread(fault)
    if (fault === undefined && text !== undefined) onChange(text)
  }

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = target.files?.[0]
    if (chosen) void read(chosen)
    // Browsers fire no change event if the user chooses the same file again, unless the value is cleared.
    target.value = ''
  }

  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p id={`${id}-help`} className="text-sm text-muted max-sm:sr-only">
          Press Tab to indent. To leave the editor, press Escape, then Tab.
        </p>
        <div className="flex flex-wrap gap-2">
          {value.trim() === '' && (
            <Button onClick={() => onChange(file.example)}>Start from an example</Button>
          )}
          <Button onClick={() => chooser.current?.click()}>
            <FileUp aria-hidden />
            Upload file
          </Button>
          <input
            ref={chooser}
            type="file"
            accept=".yml,.yaml,text/yaml,application/yaml"
            aria-label={`Upload ${file.label.toLowerCase()}`}
            tabIndex={-1}
            className="sr-only"
            onChange={choose}
          />
        </div>
      </div>
      <div
        className={classNames(
          'overflow-hidden rounded-md border focus-within:border-accent-ink',
          problem ? 'border-red' : 'border-edge',
        )}
      >
        <LazyEditor
          {...{ value, onChange, handle }}
          label={file.label}
          hint={file.hint}
          completes={file.completes}
          onFile={(given) => void read(given)}
          problems={check.problems}
          describedBy={`${id}-error ${id}-help`}
          invalid={problem !== undefined}
          waiting={<Skeleton className="h-72" />}
        />
      </div>
      <p id={`${id}-error`} className="text-sm text-red-ink empty:hidden">
        {problem}
      </p>
      <ProblemList
        label={`Problems in the ${file.label.toLowerCase()}`}
        problems={check.problems}
        checked={value.trim() !== ''}
        failure={check.failure}
        onOpen={(problem) => handle.current?.open(problem)}
      />
    </div>
  )
}

function faultOf({ name }: File, text: string | undefined): string | undefined {
  if (text === undefined)
    return `${name} is too large. Upload a file of at most ${maxComposeLength / 1000} kB.`
  return text.includes('\0') ? `${name} is not a text file. Upload a YAML file.` : undefined
}
