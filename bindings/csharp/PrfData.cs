// SPDX-License-Identifier: MIT
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace PrfData
{
    /// <summary>
    /// Publishes the counters of one map file, by prfdata.dll (libprfdata.so on Linux), which is
    /// next to the program. Keep the Publisher open for as long as the program runs. Only Open and
    /// SetPrivate throw, and only if the library cannot be loaded or has another version. If
    /// something could not be opened, added or found, its counters count in memory that no reader
    /// sees. Status says why, and Error of an instance, a counter and so on is a Windows error
    /// code, or 0. The code is 87 for a path or a name that is null, and 123 for one with a NUL.
    /// Any thread may call any method at any time.
    /// </summary>
    /// <example>
    /// var publisher = Publisher.Open("queues.prfmap");
    /// var jobs = publisher.Add("QUEUES", "mail").Counter("QUEUES_JOBS");
    /// jobs.Increment();
    /// </example>
    public sealed class Publisher : IDisposable
    {
        private const uint NoId = uint.MaxValue;
        private const int StatusBytes = 1536;

        internal IntPtr Pointer; // zero: the publisher is closed, or there is none
        private string ended; // the text of Status if there is no publisher; null: Status asks the library

        /// <summary>A Windows error code; 0: readers see the counters.</summary>
        public readonly uint Error;

        private Publisher(string path)
        {
            CheckLibrary();
            Error = Text.Check(path);
            if (Error == 0)
                Error = Native.prfdata_open_file(Text.Wide(path), out Pointer);
            else
                ended = "The path of the map file is null or has a NUL.";
        }

        private static void CheckLibrary()
        {
            uint version = LibraryVersion();

            if (version != Native.Version)
                throw new DllNotFoundException("prfdata.dll has version " + version +
                    " of its calls, and PrfData.cs is written for " + Native.Version +
                    "; use both from the same release of PrfData.");
        }

        private static uint LibraryVersion()
        {
            try
            {
                return Native.prfdata_call_version();
            }
            catch (Exception error)
            {
                if (!(error is DllNotFoundException || error is BadImageFormatException))
                    throw;
                throw new DllNotFoundException("prfdata.dll (libprfdata.so on Linux) cannot be loaded. Put it, " +
                    "for the processor of this program, into " + AppDomain.CurrentDomain.BaseDirectory, error);
            }
        }

        public static Publisher Open(string path)
        {
            return new Publisher(path);
        }

        /// <summary>For unit tests: sets whether publishers that are opened from now on count only
        /// for this process. Throws as Open does.</summary>
        public static void SetPrivate(bool isPrivate)
        {
            CheckLibrary();
            Native.prfdata_set_private(isPrivate ? 1 : 0);
        }

        /// <summary>Says in a sentence whether readers see the counters, and if not, why.</summary>
        public string Status
        {
            get
            {
                byte[] text = new byte[StatusBytes];

                if (ended != null)
                    return ended;
                Native.prfdata_status(Pointer, text, (UIntPtr)text.Length);
                return Encoding.UTF8.GetString(text, 0, Array.IndexOf(text, (byte)0));
            }
        }

        /// <summary>Try again to publish. Returns a Windows error code, or 0.</summary>
        public uint Retry()
        {
            return Native.prfdata_retry(Pointer);
        }

        /// <summary>Add an instance by name. `parent` is an instance of the parent object, or null
        /// if the object has none.</summary>
        public Instance Add(string obj, string name, Instance parent = null)
        {
            Instance instance = new Instance(this, true);

            instance.Error = Text.Check(name);
            if (instance.Error == 0)
                instance.Error = Native.prfdata_instance_add(Pointer, IdOf(obj), Text.Wide(name),
                    parent == null ? null : parent.Memory, instance.Memory);
            return instance;
        }

        /// <summary>Find an instance that was added before.</summary>
        public Instance Find(string obj, string name, Instance parent = null)
        {
            Instance instance = new Instance(this, true);

            instance.Error = Text.Check(name);
            if (instance.Error == 0)
                instance.Error = Native.prfdata_instance_find(Pointer, IdOf(obj), Text.Wide(name),
                    parent == null ? null : parent.Memory, instance.Memory);
            return instance;
        }

        /// <summary>The instance for the counters of objects without instances.</summary>
        public Instance Single
        {
            get { return new Instance(this, false); }
        }

        /// <summary>Hide the instances. Their counts stay in the totals. A second call does nothing.</summary>
        public void Dispose()
        {
            ended = ended ?? "The publisher is closed.";
            Native.prfdata_close(Interlocked.Exchange(ref Pointer, IntPtr.Zero));
        }

        internal uint IdOf(string symbol)
        {
            uint id;

            if (Text.Check(symbol) != 0)
                return NoId;
            return Native.prfdata_call_find_id(Pointer, Text.Utf8(symbol), out id) == 0 ? id : NoId;
        }
    }

    /// <summary>An instance of an object, or an object without instances.</summary>
    public sealed class Instance
    {
        internal readonly Publisher Publisher;
        internal readonly byte[] Memory;

        /// <summary>A Windows error code; 0: the instance was added or found.</summary>
        public uint Error { get; internal set; }

        internal Instance(Publisher publisher, bool hasMemory)
        {
            Publisher = publisher;
            Memory = hasMemory ? new byte[Native.MemoryBytes] : null;
        }

        public Counter Counter(string symbol)
        {
            return new Counter(this, symbol);
        }

        public Average Average(string symbol)
        {
            return new Average(this, symbol);
        }

        /// <summary>Find a distribution by its number, because it has no symbol in a map
        /// file.</summary>
        public Distribution Distribution(uint number)
        {
            return new Distribution(this, number);
        }

        /// <summary>Calls `update`, which must be short. Readers see all its updates of this
        /// instance together.</summary>
        public void Together(Action update)
        {
            if (update == null)
                return;
            Native.prfdata_begin(Memory);
            try
            {
                update();
            }
            finally
            {
                Native.prfdata_end(Memory);
            }
        }

        public void Remove()
        {
            Native.prfdata_instance_remove(Memory);
        }
    }

    /// <summary>A counter of one instance.</summary>
    public sealed unsafe class Counter
    {
        private readonly byte[] handle = new byte[Native.MemoryBytes];
        private readonly long* cell; // memory of the DLL; null: count by calls

        /// <summary>A Windows error code; 0: the counter was found.</summary>
        public readonly uint Error;

        internal Counter(Instance instance, string symbol)
        {
            Error = Native.prfdata_resolve(instance.Publisher.Pointer, instance.Publisher.IdOf(symbol),
                instance.Memory, handle);
            cell = (long*)Native.prfdata_call_cell(handle);
        }

        /// <summary>Counts in place, without a call, unless the map marks the counter as hot.</summary>
        public void Add(long amount)
        {
            if (cell != null)
                Interlocked.Add(ref *cell, amount);
            else
                Native.prfdata_call_add(handle, amount);
        }

        public void Increment()
        {
            Add(1);
        }

        /// <summary>Subtract one. Only for gauges, whose values go up and down.</summary>
        public void Decrement()
        {
            Add(-1);
        }

        /// <summary>Set the value. Only for gauges.</summary>
        public void Set(long value)
        {
            Native.prfdata_call_set(handle, value);
        }

        /// <summary>Raise the counter to `value` if its own value is smaller.</summary>
        public void Raise(long value)
        {
            Native.prfdata_call_raise(handle, value);
        }

        /// <summary>Let a counter of the type PERF_ELAPSED_TIME show the time since this call.</summary>
        public void Start()
        {
            Native.prfdata_call_elapsed_start(handle);
        }

        /// <summary>Let a counter of the type PERF_ELAPSED_TIME show no time.</summary>
        public void Stop()
        {
            Native.prfdata_call_elapsed_stop(handle);
        }

        /// <summary>The value that this publisher shows.</summary>
        public long Value
        {
            get { return Native.prfdata_call_get(handle); }
        }
    }

    /// <summary>A counter with its base: an average, a fraction, a timer.</summary>
    public sealed class Average
    {
        private readonly byte[] pair = new byte[Native.MemoryBytes];

        /// <summary>A Windows error code; 0: the counter was found.</summary>
        public readonly uint Error;

        internal Average(Instance instance, string symbol)
        {
            Error = Native.prfdata_resolve_pair(instance.Publisher.Pointer,
                instance.Publisher.IdOf(symbol), instance.Memory, pair);
        }

        /// <summary>Count one operation, and add `amount` to the sum.</summary>
        public void Add(long amount)
        {
            Native.prfdata_call_average_add(pair, amount);
        }

        /// <summary>The sum of the amounts, or of the ticks of a timer.</summary>
        public long Value
        {
            get { return Native.prfdata_call_get_value(pair); }
        }

        /// <summary>The number of operations, or the whole of a fraction.</summary>
        public long Base
        {
            get { return Native.prfdata_call_get_base(pair); }
        }

        /// <summary>Call `operation`, and count it and its duration.</summary>
        public void Time(Action operation)
        {
            if (operation == null)
                return;

            ulong started = Native.prfdata_call_timer_start(pair);

            try
            {
                operation();
            }
            finally
            {
                Native.prfdata_call_timer_stop(pair, started);
            }
        }
    }

    /// <summary>A distribution of recorded values. Counters of the map show its percentiles, means
    /// and counts.</summary>
    public sealed class Distribution
    {
        private readonly byte[] memory = new byte[Native.MemoryBytes];

        /// <summary>A Windows error code; 0: the distribution was found.</summary>
        public readonly uint Error;

        internal Distribution(Instance instance, uint number)
        {
            Error = Native.prfdata_resolve_distribution(instance.Publisher.Pointer, number,
                instance.Memory, memory);
        }

        /// <summary>Record one value in the distribution's unit. A negative value is not
        /// recorded.</summary>
        public void Record(long value)
        {
            if (value >= 0)
                Native.prfdata_call_record(memory, value);
        }

        /// <summary>The number of values recorded by this publisher. This and the next four members
        /// are for tests.</summary>
        public long Count
        {
            get { return Native.prfdata_call_recorded_count(memory); }
        }

        public long Sum
        {
            get { return Native.prfdata_call_recorded_sum(memory); }
        }

        /// <summary>The rounded mean of the values.</summary>
        public long Mean
        {
            get { return Native.prfdata_call_recorded_mean(memory); }
        }

        /// <summary>The greatest of the values, within the precision of the map.</summary>
        public long Maximum
        {
            get { return Percentile(10000); }
        }

        /// <summary>A percentile, within the precision of the map: `share` / 10,000 of the values
        /// are not larger (5000: the median).</summary>
        public long Percentile(uint share)
        {
            return Native.prfdata_call_recorded_percentile(memory, share);
        }

        /// <summary>Record how long `operation` lasts. The distribution's unit must be 100ns.</summary>
        public void Time(Action operation)
        {
            if (operation == null)
                return;

            ulong started = Native.prfdata_call_record_start();

            try
            {
                operation();
            }
            finally
            {
                Native.prfdata_call_record_since(memory, started);
            }
        }
    }

    /// <summary>Converts texts to the form of the library.</summary>
    internal static class Text
    {
        private const uint InvalidParameter = 87, InvalidName = 123;

        /// <summary>Wide characters have 16 bits on Windows and 32 elsewhere.</summary>
        private static readonly Encoding WideEncoding =
            Path.DirectorySeparatorChar == '\\' ? Encoding.Unicode : Encoding.UTF32;

        /// <summary>Returns a Windows error code for a text that C cannot represent, or
        /// 0.</summary>
        internal static uint Check(string text)
        {
            if (text == null)
                return InvalidParameter;
            return text.IndexOf('\0') < 0 ? 0 : InvalidName;
        }

        internal static byte[] Wide(string text)
        {
            return WideEncoding.GetBytes(text + "\0");
        }

        internal static byte[] Utf8(string text)
        {
            return Encoding.UTF8.GetBytes(text + "\0");
        }
    }

    /// <summary>
    /// The library's functions. The library is searched for only next to this assembly
    /// and next to the program, because the system's search may include folders of other users.
    /// </summary>
    internal static class Native
    {
        internal const uint Version = 1;
        internal const int MemoryBytes = 128; // the most that prfdata_call_get_sizes() may return

        private const string Dll = "prfdata"; // prfdata.dll or libprfdata.so
        private const DllImportSearchPath Search =
            DllImportSearchPath.AssemblyDirectory | DllImportSearchPath.ApplicationDirectory;
        private const CallingConvention C = CallingConvention.Cdecl;

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_call_version();

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_call_find_id(IntPtr publisher, byte[] symbol, out uint id);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern IntPtr prfdata_call_cell(byte[] handle);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_add(byte[] handle, long amount);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_set(byte[] handle, long value);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_raise(byte[] handle, long value);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern long prfdata_call_get(byte[] handle);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_average_add(byte[] pair, long amount);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern ulong prfdata_call_timer_start(byte[] pair);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_timer_stop(byte[] pair, ulong started);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_record(byte[] distribution, long value);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern ulong prfdata_call_record_start();

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_record_since(byte[] distribution, ulong started);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern long prfdata_call_get_value(byte[] pair);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern long prfdata_call_get_base(byte[] pair);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_elapsed_start(byte[] handle);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_call_elapsed_stop(byte[] handle);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern long prfdata_call_recorded_count(byte[] distribution);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern long prfdata_call_recorded_sum(byte[] distribution);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern long prfdata_call_recorded_mean(byte[] distribution);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern long prfdata_call_recorded_percentile(byte[] distribution, uint share);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_set_private(int isPrivate);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_open_file(byte[] path, out IntPtr publisher);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_close(IntPtr publisher);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_status(IntPtr publisher, byte[] text, UIntPtr capacity);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_retry(IntPtr publisher);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_instance_add(IntPtr publisher, uint id, byte[] name,
            byte[] parent, byte[] instance);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_instance_find(IntPtr publisher, uint id, byte[] name,
            byte[] parent, byte[] instance);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_instance_remove(byte[] instance);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_resolve(IntPtr publisher, uint id, byte[] instance,
            byte[] handle);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_resolve_pair(IntPtr publisher, uint id, byte[] instance,
            byte[] pair);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern uint prfdata_resolve_distribution(IntPtr publisher, uint id,
            byte[] instance, byte[] distribution);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_begin(byte[] instance);

        [DllImport(Dll, CallingConvention = C), DefaultDllImportSearchPaths(Search)]
        internal static extern void prfdata_end(byte[] instance);
    }
}
