import { syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Colors are CSS variables, so that the editor follows the theme of the page. */
const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--raised)', fontSize: '13px', borderRadius: '6px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '20px',
    maxHeight: 'min(65vh, 720px)',
    borderRadius: '6px',
  },
  // The gutter needs the minimum height of the content, or it ends at the last line.
  '.cm-content, .cm-gutter': { minHeight: '280px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0', fontVariantLigatures: 'none' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--subtle)',
    color: 'var(--muted)',
    border: 'none',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 4px', minWidth: '28px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-ink) 5%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent-ink) 25%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--pressed)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--float)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--accent-ink)' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', maxWidth: '280px', fontFamily: 'var(--font-sans)' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: 'none', maxWidth: 'min(420px, 80vw)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--red)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px solid var(--yellow)' },
  '.cm-gutter-lint': { width: '18px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 2px', display: 'flex', alignItems: 'center' },
  '.cm-lint-marker': {
    width: '8px',
    height: '8px',
    margin: '0 auto',
    content: 'none',
    borderRadius: '9999px',
  },
  '.cm-lint-marker-error': { backgroundColor: 'var(--red)', content: 'none' },
  '.cm-lint-marker-warning': {
    backgroundColor: 'var(--yellow)',
    content: 'none',
    borderRadius: '1px',
    rotate: '45deg',
  },
})

const classes = new Map([
  ['definition(propertyName)', 'text-accent-ink'],
  ['string', 'text-green-ink'],
  ['special(string)', 'text-green-ink'],
  ['lineComment', 'text-muted'],
  ['labelName', 'text-yellow-ink'],
  ['typeName', 'text-yellow-ink'],
  ['separator', 'text-muted'],
])

const colours = syntaxHighlighting({ style: ([tag]) => classes.get(String(tag)) ?? null })

export const editorTheme: Extension = [theme, colours]
