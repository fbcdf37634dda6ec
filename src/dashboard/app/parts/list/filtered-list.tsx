import type { ReactNode } from "react";
import { changed, type Filters, isFiltered } from "../filters.ts";
import { Chips, type FilterField } from "./chips.tsx";
import { Listing, type ListingProps } from "./listing.tsx";

type Props<T> = Omit<ListingProps<T>, "isFiltered" | "query" | "onClear" | "onOlder"> & {
  fields: readonly FilterField[];
  filters: Filters;
  onShow: (filters: Filters) => void;
  children?: ReactNode;
};

/** A list with filters, both stored in the URL. `children`: below it, such as a `SelectionBar`. */
export const FilteredList = <T,>({ fields, filters, onShow, children, ...listing }: Props<T>) => {
  const wanted = changed(filters, {});
  const search = fields.find(({ kind }) => kind === "search");
  return (
    <>
      <Chips fields={fields} filters={wanted} onChange={onShow} />
      <Listing
        {...listing}
        isFiltered={isFiltered(filters)}
        query={search && Object.keys(wanted).length === 1 ? wanted[search.name] : undefined}
        onClear={() => onShow({})}
        onOlder={(cursor) => onShow({ ...wanted, cursor })}
      />
      {children}
    </>
  );
};
