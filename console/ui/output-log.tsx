import { ArrowDown } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { AnsiText } from './ansi/ansi-text.tsx'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

interface OutputLogProps {
  label: string
  lines: readonly { stream: 'stdout' | 'stderr'; text: string }[]
  empty?: string
  /** Reserves the full height, for a log above other content. */
  fixed?: boolean
}

/** Shows the output of a program. It follows new lines until the user scrolls up. */
export function OutputLog({ label, lines, empty = 'No output yet.', fixed = false }: OutputLogProps) {
  const box = useRef<HTMLDivElement>(null)
  const [follows, setFollows] = useState(true)
  const toEnd = () => box.current?.scrollTo(0, box.current.scrollHeight)
  // Any render may change the height, so scroll after each of them.
  useLayoutEffect(() => {
    if (follows) toEnd()
  })

  function onScroll() {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = box.current ?? {}
    setFollows(scrollHeight - scrollTop - clientHeight < 24)
  }

  return (
    <div className="relative">
      <div
        ref={box}
        role="log"
        // Screen readers would read every line, so do not announce them.
        aria-live="off"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll the element
        tabIndex={0}
        onScroll={onScroll}
        className={classNames(
          'overflow-auto rounded-md border border-line bg-subtle py-2 font-mono text-xs leading-5',
          fixed ? 'h-56' : 'max-h-96',
        )}
      >
        {lines.length === 0 && <p className="px-3 text-muted">{empty}</p>}
        {lines.map(({ stream, text }, index) => (
          // oxlint-disable-next-line no-array-index-key -- lines are only added at the end
          <Line key={index} marked={stream === 'stderr'} text={text} />
        ))}
      </div>
      {!follows && (
        <Button size="small" className="absolute right-3 bottom-3 shadow-float" onClick={toEnd}>
          <ArrowDown aria-hidden />
          Jump to latest
        </Button>
      )}
    </div>
  )
}

function Line({ marked, text }: { marked: boolean; text: string }) {
  return (
    <div
      className={classNames(
        'min-h-5 border-l-2 px-3 wrap-anywhere whitespace-pre-wrap',
        marked ? 'border-red text-red-ink' : 'border-transparent',
      )}
    >
      {marked && <span className="sr-only">Error output: </span>}
      <AnsiText>{text}</AnsiText>
    </div>
  )
}
