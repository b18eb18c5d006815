import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { composeQuery } from './queries.ts'

export function ComposePreview({ applicationId, editor }: { applicationId: string; editor: string }) {
  const { data } = useQuery(composeQuery(applicationId))
  return (
    <Card
      title="Compose file"
      flush
      action={
        <ButtonLink size="small" to={editor}>
          <Pencil aria-hidden />
          Edit
        </ButtonLink>
      }
    >
      {data ? (
        <pre
          aria-label="Compose file"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the element scrolls, so the keyboard must reach it
          tabIndex={0}
          dir="ltr"
          className="max-h-72 overflow-auto bg-subtle p-4 font-mono text-xs leading-5 -outline-offset-2"
        >
          {data.compose.split('\n').map((line, index) => (
            // oxlint-disable-next-line no-array-index-key -- lines have no ID
            <ComposeLine key={index} line={line} />
          ))}
        </pre>
      ) : (
        <div aria-busy="true" className="p-4">
          <Skeleton className="h-64 w-full" />
        </div>
      )}
    </Card>
  )
}

/** Highlights keys and mutes comments, line by line, without parsing the file. */
function ComposeLine({ line }: { line: string }) {
  const [, before = '', key = '', rest = ''] = /^(\s*(?:- )?)([\w.${}-]+:)(?=\s|$)(.*)$/.exec(line) ?? []
  if (key === '')
    return <span className={line.trimStart().startsWith('#') ? 'text-muted' : ''}>{`${line}\n`}</span>
  return (
    <span>
      {before}
      <span className="text-accent-ink">{key}</span>
      {`${rest}\n`}
    </span>
  )
}
