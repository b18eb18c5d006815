import {
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, Transaction, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import type { ComposeProblem } from './compose-check.ts'
import { editorTheme } from './editor-theme.ts'
import { type CompletionOption, completionsAt } from './completions.ts'

export interface EditorHandle {
  open: (problem: Pick<ComposeProblem, 'line' | 'column'>) => void
}

export interface CodeEditorProps {
  value: string
  onChange: (value: string) => void
  onFile: (file: File) => void
  label: string
  hint: string
  completes: boolean
  problems: readonly ComposeProblem[]
  describedBy: string
  invalid: boolean
  handle: RefObject<EditorHandle | null>
}

/** Ctrl+Enter submits the form in every field, so the editor must not handle it. */
const keys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')

/** Reports every change. A new `value` replaces the text in a step that the user can undo. */
export function CodeEditor({
  value,
  onChange,
  onFile,
  label,
  hint,
  completes,
  problems,
  describedBy,
  invalid,
  handle,
}: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const attributes = useRef(new Compartment())
  const change = useEffectEvent((text: string) => onChange(text))
  const drop = useEffectEvent((file: File) => onFile(file))
  const first = useEffectEvent(() => ({
    value,
    attributes: attributesOf(label, describedBy, invalid),
    extras: [placeholder(hint), ...(completes ? [completion] : [])],
  }))

  useEffect(() => {
    if (!place.current) return undefined
    const begun = first()
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: begun.value,
        extensions: [
          attributes.current.of(begun.attributes),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            if (docChanged && !transactions.every(isGiven)) change(state.doc.toString())
          }),
          EditorView.domEventHandlers({ drop: (event) => took(event, drop) }),
          basics,
          begun.extras,
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const now = view.current
    if (!now || now.state.doc.toString() === withoutReturns(value)) return
    const changes = { from: 0, to: now.state.doc.length, insert: value }
    now.dispatch({ changes, annotations: Transaction.userEvent.of(given) })
  }, [value])

  useEffect(() => {
    const now = view.current
    if (now) now.dispatch(setDiagnostics(now.state, diagnosticsOf(now.state.doc, problems)))
  }, [problems])

  useEffect(() => {
    const effects = attributes.current.reconfigure(attributesOf(label, describedBy, invalid))
    view.current?.dispatch({ effects })
  }, [label, describedBy, invalid])

  useImperativeHandle(handle, () => ({
    open: ({ line, column }) => {
      const now = view.current
      if (!now) return
      const anchor = offsetOf(now.state.doc, line, column)
      now.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      now.focus()
    },
  }))

  return <div ref={place} />
}

const given = 'input.given'
const isGiven = (transaction: Transaction) => !transaction.docChanged || transaction.isUserEvent(given)
/** CodeMirror normalizes line breaks, so compare its text with a normalized value. */
const withoutReturns = (text: string) => text.replaceAll(/\r\n?/g, '\n')

const attributesOf = (label: string, describedBy: string, invalid: boolean): Extension =>
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-describedby': describedBy,
    ...(invalid ? { 'aria-invalid': 'true' } : {}),
  })

/** A dropped file replaces the text instead of being inserted. */
function took(event: DragEvent, take: (file: File) => void): boolean {
  const [file] = event.dataTransfer?.files ?? []
  if (!file) return false
  event.preventDefault()
  take(file)
  return true
}

const basics: Extension = [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  indentUnit.of('  '),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  yaml(),
  editorTheme,
  EditorView.lineWrapping,
  keymap.of([...closeBracketsKeymap, ...keys, ...historyKeymap, ...completionKeymap, indentWithTab]),
]

/** Positions are 1-based and may be beyond the end, because the text may have changed since. */
function offsetOf(text: Text, line: number, column: number): number {
  const { from, to } = text.line(Math.min(Math.max(line, 1), text.lines))
  return Math.min(from + Math.max(column - 1, 0), to)
}

const diagnosticsOf = (text: Text, problems: readonly ComposeProblem[]): Diagnostic[] =>
  problems.map(({ line, column, end_line, end_column, severity, message }) => {
    const from = offsetOf(text, line, column)
    return { from, to: Math.max(offsetOf(text, end_line, end_column), from), severity, message }
  })

const maxLines = 5000

const types: Record<CompletionOption['kind'], string> = { key: 'property', value: 'enum', name: 'variable' }

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos)
  const first = state.doc.line(Math.max(1, line.number - maxLines))
  const completion = completionsAt(
    state.sliceDoc(first.from, pos).split('\n'),
    readLines(state.doc.iterLines()),
  )
  if (!completion || completion.offers.length === 0 || (completion.word === '' && !explicit)) return null
  return {
    from: pos - completion.word.length,
    options: completion.offers.map(({ label, kind, about, insert }) => ({
      label,
      type: types[kind],
      apply: insert,
      ...(about === undefined ? {} : { info: about }),
    })),
    validFor: /^[\w.-]*$/,
  }
}

function readLines(lines: Iterable<string>): string[] {
  const read: string[] = []
  for (const line of lines) {
    if (read.length >= maxLines) break
    read.push(line)
  }
  return read
}

const completion: Extension = autocompletion({
  override: [complete],
  icons: false,
  activateOnTyping: true,
})
