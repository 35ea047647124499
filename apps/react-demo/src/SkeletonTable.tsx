import { TableHead } from './TableHead.tsx'

/** The table to come, in its size, so that nothing jumps when it is there. */
export function SkeletonTable() {
  return (
    <table data-testid="state-loading" aria-hidden="true">
      <TableHead />
      <tbody>
        {[1, 2, 3, 4, 5].map((row) => (
          <tr key={row}>
            <td className="token">
              <span className="bone" />
            </td>
            <td className="chain">
              <span className="bone" />
            </td>
            <td className="amount number">
              <span className="bone" />
            </td>
            <td className="price number">
              <span className="bone" />
            </td>
            <td className="value number">
              <span className="bone" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
