import { useMemo } from 'react'
import { Copy } from '../../ui/copy.tsx'
import { readable } from './delivery-words.ts'

/** What it carried, as people read it; what is copied is as it came. */
export function Carried({ headers, payload }: { headers: Record<string, string>; payload: string }) {
  const text = useMemo(() => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [...lines, '', readable(payload)].join('\n')
  }, [headers, payload])
  return (
    <section className="flex min-h-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">What it carried</h3>
        <Copy text={payload} label="Copy what it carried" />
      </div>
      <pre
        // oxlint-disable-next-line no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-md border border-line bg-subtle p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </section>
  )
}
