export function TableHead() {
  return (
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">
          Token
        </th>
        <th role="columnheader" scope="col">
          Chain
        </th>
        <th role="columnheader" scope="col" className="number">
          Amount
        </th>
        <th role="columnheader" scope="col" className="number">
          Price
        </th>
        <th role="columnheader" scope="col" className="number">
          Value
        </th>
      </tr>
    </thead>
  )
}
