import { readNumber } from '../../../lib/form/read-number.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Input, Textarea } from '../../../ui/form/input.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { ApplicationChange, ApplicationDetails } from '../queries.ts'
import { useState } from 'react'
import { readCommandLine, writeCommandLine } from '../../../../contract/shared/command-line.ts'
import { ApiError } from '../../../lib/http/api-error.ts'

type Settings = Pick<ApplicationDetails, 'command' | 'restart' | 'stop_grace_seconds' | 'drain_seconds'>

const policies: { value: Settings['restart']; label: string }[] = [
  { value: 'always', label: 'Always' },
  { value: 'on-failure', label: 'On failure' },
  { value: 'no', label: 'Never' },
]

export const runtimeFields = {
  command: 'optional',
  restart: 'required',
  stop_grace_seconds: 'required',
  drain_seconds: 'required',
} as const

type Typed = Record<keyof typeof runtimeFields, string>

export const toRuntimeDraft = (settings: Settings): Typed => ({
  command: writeCommand(settings.command),
  restart: settings.restart,
  stop_grace_seconds: String(settings.stop_grace_seconds),
  drain_seconds: String(settings.drain_seconds),
})

interface RuntimeFieldsProps {
  typed: Typed
  errors: Readonly<Record<string, string>>
  /** Some controls fire no input events, so they report their choice here. */
  onChoose?: (field: 'restart', value: string) => void
}

export const RuntimeFields = ({ typed, errors, onChoose }: RuntimeFieldsProps) => (
  <div className="flex flex-col gap-4">
    <CommandField typed={typed.command} error={commandSyntaxError(errors)} />
    <div className="grid gap-4 sm:grid-cols-3">
      <Field
        label="Restart policy"
        help="When Docker restarts a container that exits."
        error={errors['restart']}
      >
        <Select
          name="restart"
          {...(onChoose
            ? { value: typed.restart, onValueChange: (value: string) => onChoose('restart', value) }
            : { defaultValue: typed.restart })}
          options={policies}
        />
      </Field>
      <Field
        label="Drain timeout (seconds)"
        help="How long old containers have to finish open requests."
        error={errors['drain_seconds']}
      >
        <Input
          name="drain_seconds"
          defaultValue={typed.drain_seconds}
          inputMode="numeric"
          autoComplete="off"
        />
      </Field>
      <Field
        label="Stop grace period (seconds)"
        help="Time between SIGTERM and SIGKILL."
        error={errors['stop_grace_seconds']}
      >
        <Input
          name="stop_grace_seconds"
          defaultValue={typed.stop_grace_seconds}
          inputMode="numeric"
          autoComplete="off"
        />
      </Field>
    </div>
  </div>
)

/** Returns `before` for an unedited command, because the text field changes its line breaks. */
export const readRuntime = (
  values: Typed,
  before: Settings['command'],
): Pick<ApplicationChange, 'command' | 'restart' | 'stop_grace_seconds' | 'drain_seconds'> => ({
  command: isSameText(values.command, writeCommand(before)) ? before : readCommand(values.command),
  restart: policies.find(({ value }) => value === values.restart)?.value ?? 'always',
  stop_grace_seconds: readNumber('stop_grace_seconds', values.stop_grace_seconds),
  drain_seconds: readNumber('drain_seconds', values.drain_seconds),
})

const isSameText = (a: string, b: string) => withoutReturns(a) === withoutReturns(b)
const withoutReturns = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

function CommandField({ typed, error }: { typed: string; error: string | undefined }) {
  const [text, setText] = useState(typed)
  const { words } = readCommandLine(text)
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Command"
        optional
        help="Replaces the image’s command. Variables and pipes need a shell, such as sh -c 'a | b'."
        error={error}
      >
        <Textarea
          name="command"
          rows={Math.min(Math.max(2, typed.split('\n').length), 12)}
          defaultValue={typed}
          onChange={({ target }) => setText(target.value)}
          placeholder="npm start"
          mono
        />
      </Field>
      {words.length > 0 && (
        <ul aria-label="Arguments" className="flex max-h-32 flex-wrap gap-1 overflow-y-auto">
          {words.map((word, index) => (
            <li
              // oxlint-disable-next-line react/no-array-index-key -- words may repeat, so only the position identifies one
              key={index}
              className="rounded-sm border border-line bg-subtle px-1.5 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
            >
              {word === '' ? <span className="text-muted italic">empty</span> : word}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Command = readonly string[] | null

const notClosed = 'The closing quote is missing.'

/** Splits a command line into arguments. An empty line returns null, which selects the command of the image. */
export function readCommand(text: string): string[] | null {
  const { words, open } = readCommandLine(text)
  if (open) throw new ApiError({ messages: [`Command: ${notClosed}`], fields: { command: notClosed } })
  return words.length === 0 ? null : words
}

const writeCommand = (command: Command) => writeCommandLine(command ?? [])

/** Returns the first error of the command or of an argument such as `command.2`. */
export const commandSyntaxError = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors).find(([field]) => /^command(\.\d+)?$/.test(field))?.[1]
