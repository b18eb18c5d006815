import { CornerDownLeft } from 'lucide-react'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, useFieldControl } from '../../ui/form/field.tsx'
import { controlClasses } from '../../ui/form/input.tsx'
import { Kbd } from '../../ui/code.tsx'
import { Select } from '../../ui/form/select.tsx'
import { startError } from './command-status.tsx'
import { type CommandWithOutput, useRunCommand } from './queries.ts'
import { type PromptState, emptyPrompt, recallCommand, promptWithText } from './prompt-history.ts'

const limits = [
  { value: '60', label: '1 minute' },
  { value: '300', label: '5 minutes' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
]

interface CommandPromptProps {
  serverId: string
  /** Container to run commands in; without it, they run on the server itself. */
  containerId?: string
  /** Earlier commands, newest first, for the arrow keys. */
  earlier: readonly string[]
  onRun: (command: CommandWithOutput) => void
}

export function CommandPrompt({ serverId, containerId, earlier, onRun }: CommandPromptProps) {
  const [prompt, setPrompt] = useState(emptyPrompt)
  const [limit, setLimit] = useState('60')
  const run = useRunCommand(serverId, containerId)
  const empty = prompt.text.trim() === ''

  function start() {
    const command = prompt.text
    if (empty || run.isPending) return
    const done = (started: CommandWithOutput) => {
      // Keep text that the user typed while the command started.
      setPrompt((now) => (now.text === command ? emptyPrompt : now))
      onRun(started)
    }
    run.mutate({ command, timeout_seconds: Number(limit) }, { onSuccess: done })
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    start()
  }

  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Command" error={run.error ? startError(run.error) : undefined} help={<Keys />}>
          <PromptInput prompt={prompt} earlier={earlier} onChange={setPrompt} onEnter={start} />
        </Field>
        <div className="flex flex-wrap items-center gap-3">
          {/* A disabled button would lose the focus when a run empties the prompt, so use aria-disabled. */}
          <Button
            variant="primary"
            type="submit"
            aria-disabled={empty}
            pending={run.isPending && 'Starting…'}
          >
            <CornerDownLeft aria-hidden />
            Run
          </Button>
          <span className="flex items-center gap-2 text-sm whitespace-nowrap text-muted">
            Time limit
            <Select
              aria-label="Time limit"
              options={limits}
              value={limit}
              onValueChange={setLimit}
              className="w-32"
            />
          </span>
        </div>
      </form>
    </Card>
  )
}

const Keys = () => (
  <span className="max-sm:hidden">
    <Kbd>Enter</Kbd> to run, <Kbd>Shift Enter</Kbd> for a new line, <Kbd>↑</Kbd> for earlier commands.
  </span>
)

interface PromptInputProps {
  prompt: PromptState
  earlier: readonly string[]
  onChange: (prompt: PromptState) => void
  onEnter: () => void
}

const mostRows = 12

function PromptInput({ prompt, earlier, onChange, onEnter }: PromptInputProps) {
  const wiring = useFieldControl()

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      return onEnter()
    }
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined
    if (!step || event.shiftKey || event.altKey || !isAtEdge(event.currentTarget, step)) return
    const recalled = recallCommand(prompt, earlier, step)
    if (!recalled) return
    event.preventDefault()
    onChange(recalled)
  }

  return (
    <textarea
      {...wiring}
      value={prompt.text}
      onChange={({ target }) => onChange(promptWithText(target.value))}
      onKeyDown={onKeyDown}
      rows={Math.min(mostRows, prompt.text.split('\n').length)}
      maxLength={10_000}
      placeholder="uptime"
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      className={classNames(
        controlClasses,
        'resize-y px-2.5 py-1.5 font-mono text-sm max-sm:min-h-10 max-sm:py-2 max-sm:text-lg',
      )}
    />
  )
}

/**
 * Returns whether an arrow key recalls a command. Between the edges of a text with several lines, the key moves the
 * cursor.
 */
function isAtEdge({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, step: 1 | -1): boolean {
  if (selectionStart !== selectionEnd) return false
  const beyond = step === 1 ? value.slice(0, selectionStart) : value.slice(selectionEnd)
  return !beyond.includes('\n')
}
