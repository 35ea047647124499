/** A recorded change. `file` is a file descriptor, `path` is relative to the recorded folder. */
export type FileChange =
  // `size` if the file is truncated.
  | { readonly type: 'open'; readonly file: number; readonly path: string; readonly size?: number }
  | { readonly type: 'write'; readonly file: number; readonly position: number }
  | { readonly type: 'truncate'; readonly file: number; readonly size: number }
  | { readonly type: 'flush'; readonly file: number }
  | { readonly type: 'create' | 'remove' | 'mkdir'; readonly path: string }
  | { readonly type: 'rename'; readonly path: string; readonly target: string }
