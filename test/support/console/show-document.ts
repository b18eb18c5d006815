import { showDocument } from './document.ts'

// Before anything is loaded: packages look for a document only then.
showDocument()
