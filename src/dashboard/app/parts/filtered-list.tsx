import type { ReactNode } from "react";
import { FilterBar, type FilterField } from "./filter-bar.tsx";
import { changed, type Filters, isFiltered } from "./filters.ts";
import { Listing, type ListingProps } from "./listing.tsx";

type Props<T> = Omit<ListingProps<T>, "isFiltered" | "onClear" | "onOlder"> & {
  fields: readonly FilterField[];
  /** Those of the address of the page, with its cursor. */
  filters: Filters;
  onShow: (filters: Filters) => void;
  /** Stands between the filters and the list. */
  children?: ReactNode;
};

/** A list below its filters. Both are as the address of the page says, and each change of them is another address. */
export const FilteredList = <T,>({ fields, filters, onShow, children, ...listing }: Props<T>) => {
  const wanted = changed(filters, {});
  return (
    <>
      <FilterBar fields={fields} filters={wanted} onChange={onShow} />
      {children}
      <Listing
        {...listing}
        isFiltered={isFiltered(filters)}
        onClear={() => onShow({})}
        onOlder={(cursor) => onShow({ ...wanted, cursor })}
      />
    </>
  );
};
