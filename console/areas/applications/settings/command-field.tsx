import { useState } from 'react'
import { readCommandLine } from '../../../../contract/shared/command-line.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Textarea } from '../../../ui/form/textarea.tsx'

interface CommandFieldProps {
  typed: string
  error: string | undefined
}

export function CommandField({ typed, error }: CommandFieldProps) {
  const [text, setText] = useState(typed)
  const { words } = readCommandLine(text)
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Command"
        optional
        help="Replaces the command of the image. Quote arguments with spaces; variables and pipes need a shell, such as sh -c 'a | b'."
        error={error}
      >
        <Textarea
          name="command"
          rows={Math.min(Math.max(2, typed.split('\n').length), 12)}
          defaultValue={typed}
          onChange={({ target }) => setText(target.value)}
          placeholder="npm start"
          mono
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      {words.length > 0 && (
        <ul aria-label="Arguments" className="flex max-h-32 flex-wrap gap-1 overflow-y-auto">
          {words.map((word, index) => (
            <li
              // oxlint-disable-next-line react/no-array-index-key -- the same word may come twice, and its place is what it is
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
